// A source and the variables → the text that PostgreSQL parses as a value of the wanted type; null for null.
import { GraphQLError } from 'graphql'
import { digitsOf, rawNumber } from '../base/exact-json.ts'
import type { ValueType } from '../catalog/value-type.ts'
import { limits } from './limits/limits.ts'
import type { Source } from './plan/input.ts'
import type { Value } from './plan/plan.ts'
import { isArrayText } from './schema/array-type.ts'

export type VariableValues = Readonly<Record<string, unknown>>

/** A number kept as text, so that no digit is lost. */
class ExactNumber {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

const partOf = (holder: unknown, key: string | number): unknown => {
  const digits = digitsOf(holder, key)
  return digits === undefined ? (holder as never)?.[key] : new ExactNumber(digits)
}

const resolve = (source: Source, variables: VariableValues): unknown => {
  switch (source.kind) {
    case 'constant':
      return source.value
    case 'number':
      return new ExactNumber(source.text)
    case 'list':
      return source.items.map(item => resolve(item, variables))
    case 'object':
      return Object.fromEntries(source.fields.map(([name, field]) => [name, resolve(field, variables)]))
    case 'variable':
      // A single value where a list is expected is a list of one, so its path has one extra step.
      return source.path.reduce<unknown>(
        (value, step) => (typeof step === 'number' && !Array.isArray(value) ? value : partOf(value, step)),
        variables,
      )
  }
}

/** Also handles what JSON itself cannot: integers beyond 53 bits. */
const toJson = (value: unknown): string =>
  JSON.stringify(value, function (this: unknown, key, given) {
    const part: unknown = typeof given === 'number' ? partOf(this, key) : given
    if (typeof part === 'bigint') return rawNumber(String(part))
    return part instanceof ExactNumber ? rawNumber(part.text) : part
  }) ?? 'null'

const toText = (value: unknown): string => (value instanceof ExactNumber ? value.text : String(value))

const quoted = (text: string): string => `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`

const elementText = (value: unknown, type: ValueType): string => {
  if (value === null || value === undefined) return 'NULL'
  if (Array.isArray(value) && !isJson(type)) return toArray(value, type)
  return quoted(isJson(type) ? toJson(value) : toText(value))
}

const isJson = ({ family }: ValueType): boolean => family === 'json' || family === 'jsonb'

const itemsOf = (value: unknown): unknown[] =>
  Array.isArray(value) ? value.map((_, index) => partOf(value, index)) : [value]

const toArray = (value: unknown, element: ValueType): string =>
  `{${itemsOf(value)
    .map(item => elementText(item, element))
    .join()}}`

/** One value of an array type. */
const arrayText = (value: unknown, element: ValueType): string => (isArrayText(value) ? value : toArray(value, element))

/** Lists, each as text. */
const toTexts = (value: unknown, { element }: ValueType): string =>
  `{${itemsOf(value)
    .map(item => quoted(arrayText(item, element as ValueType)))
    .join()}}`

const step = /^\.?(?:([^.[\]"]+)|\[(-?\d+)\]|\["((?:[^"\\]|\\.)*)"\]|\['((?:[^'\\]|\\.)*)'\])/

const unescaped = (text: string | undefined): string | undefined => text?.replaceAll(/\\(.)/g, '$1')

/** `$.a.b[0]`, `a["b c"]` or `a.['b c']` → its steps, as PostgreSQL's `#>` takes them. */
const pathSteps = (path: string): string[] => {
  const steps: string[] = []
  let rest = path.replace(/^\$/, '')
  while (rest !== '') {
    const match = step.exec(rest)
    if (match === null)
      throw new GraphQLError(
        `The path ${JSON.stringify(path)} cannot be read. Write it like $.a.b[0], or $.a["b c"] where a key has other characters.`,
        {
          extensions: { code: 'bad-value' },
        },
      )
    steps.push(match[1] ?? match[2] ?? unescaped(match[3]) ?? unescaped(match[4]) ?? '')
    rest = rest.slice(match[0].length)
  }
  return steps
}

const tooManyValues = (name: string, count: number): GraphQLError =>
  new GraphQLError(
    `${name} has ${count} values; the maximum is ${limits.values}. Ask for fewer at a time, or filter by a relationship.`,
    { extensions: { code: 'too-many-values' } },
  )

const searchTooLong = (name: string, count: number): GraphQLError =>
  new GraphQLError(
    `${name} has ${count} characters; the maximum is ${limits.searchCharacters}. Look for something shorter.`,
    { extensions: { code: 'search-too-long' } },
  )

/** Here, not while planning: a plan does not know the values of variables. */
const checkMeasure = (value: unknown, { kind, name }: NonNullable<Value['measure']>): void => {
  if (kind === 'values') {
    if (Array.isArray(value) && value.length > limits.values) throw tooManyValues(name, value.length)
  } else if (typeof value === 'string' && value.length > limits.searchCharacters) {
    const count = [...value].length
    if (count > limits.searchCharacters) throw searchTooLong(name, count)
  }
}

export const encodeValue = ({ source, type, encoding, measure }: Value, variables: VariableValues): string | null => {
  const value = resolve(source, variables)
  if (value === null || value === undefined) return null
  if (measure !== undefined) checkMeasure(value, measure)
  if (encoding === 'record') return toJson(value)
  if (encoding === 'path') return toArray(pathSteps(String(value)), type)
  if (type.element !== undefined) {
    if (encoding === 'lists') return toTexts(value, type.element)
    return encoding === 'list' ? toArray(value, type.element) : arrayText(value, type.element)
  }
  return isJson(type) ? toJson(value) : toText(value)
}

/** As JSON has it, for what reads values here and not in the database. */
export const plainValue = (source: Source, variables: VariableValues): unknown =>
  JSON.parse(toJson(resolve(source, variables)))

/** The text of a cursor, if it is one. */
export const resolveText = (source: Source, variables: VariableValues): string => String(resolve(source, variables))
