// The parameters of a request, each with all its values → one value each; a repeated parameter is an error.
import { invalidRequest } from './oauth-fault.ts'

/** The form parser's output: a repeated parameter is a list. */
export type RawParameters = Readonly<Record<string, string | readonly string[] | undefined>>
export type Parameters = Readonly<Record<string, string | undefined>>

/** Text that PostgreSQL can store: no NUL, no lone surrogate. */
export const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed()

/** RFC 6749 section 3.1: "Parameters sent without a value MUST be treated as if they were omitted." */
const onlyValue = (value: string | readonly string[] | undefined): string | undefined => {
  const single = typeof value === 'object' ? value[0] : value
  return single === undefined || single === '' || !isStorable(single) ? undefined : single
}

/** RFC 8707 section 2 lets `resource` be repeated; it is read separately. */
const repeatable = new Set(['resource'])

const repeatedParameter = (raw: RawParameters): string | undefined => {
  for (const name in raw) if (typeof raw[name] === 'object' && !repeatable.has(name)) return name
  return undefined
}

/**
 * What makes the parameters as a whole unusable: RFC 6749 section 3.1, "MUST NOT be included more than once"; or bytes
 * that are not text.
 */
export const parameterFault = (raw: RawParameters): string | undefined => {
  const repeated = repeatedParameter(raw)
  if (repeated !== undefined) return `The parameter "${repeated.slice(0, 60)}" is given more than once.`
  for (const name in raw)
    if (!isStorable(String(raw[name]))) return `The parameter "${name.slice(0, 60)}" is malformed.`
  return undefined
}

/** The first usable value of each, to decide where an error may be sent. */
export const firstValues = (raw: RawParameters): Parameters => {
  const values: Record<string, string | undefined> = Object.create(null)
  for (const name in raw) values[name] = onlyValue(raw[name])
  return values
}

/** @throws {Fault} `invalid_request` */
export const singleValues = (raw: RawParameters): Parameters => {
  const fault = parameterFault(raw)
  if (fault !== undefined) throw invalidRequest(fault)
  return firstValues(raw)
}

export const resourcesOf = (raw: RawParameters): readonly string[] => {
  const value = raw.resource
  return typeof value === 'object' ? value : value === undefined || value === '' ? [] : [value]
}
