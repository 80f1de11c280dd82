// The parameters of a request, each with all its values → one value each; a repeated one is a fault.
import { invalidRequest } from './oauth-fault.ts'

/** As the form parser leaves them: a repeated parameter is a list. */
export type RawParameters = Readonly<Record<string, string | readonly string[] | undefined>>
export type Parameters = Readonly<Record<string, string | undefined>>

/** RFC 6749 section 3.1: "Parameters sent without a value MUST be treated as if they were omitted." */
const onlyValue = (value: string | readonly string[] | undefined): string | undefined => {
  const single = typeof value === 'object' ? value[0] : value
  return single === '' ? undefined : single
}

/** RFC 8707 section 2 lets `resource` be repeated; it is read apart. */
const repeatable = new Set(['resource'])

export const repeatedParameter = (raw: RawParameters): string | undefined => {
  for (const name in raw) if (typeof raw[name] === 'object' && !repeatable.has(name)) return name
  return undefined
}

/** The first value of each, whether repeated or not: for deciding where an error may be sent. */
export const firstValues = (raw: RawParameters): Parameters => {
  const values: Record<string, string | undefined> = Object.create(null)
  for (const name in raw) values[name] = onlyValue(raw[name])
  return values
}

/** RFC 6749 section 3.2: "parameters MUST NOT be included more than once". */
export const singleValues = (raw: RawParameters): Parameters => {
  const repeated = repeatedParameter(raw)
  if (repeated !== undefined) throw invalidRequest(`The parameter "${describe(repeated)}" is given more than once.`)
  return firstValues(raw)
}

/** A name from outside, fit to stand in an answer (RFC 6749 appendix A.8 allows %x20-21, %x23-5B, %x5D-7E). */
const describe = (name: string): string => name.replace(/[^\x20-\x21\x23-\x5b\x5d-\x7e]/g, '?').slice(0, 60)

export const resourcesOf = (raw: RawParameters): readonly string[] => {
  const value = raw.resource
  return typeof value === 'object' ? value : value === undefined || value === '' ? [] : [value]
}
