// JSON that keeps every digit of its numbers. TypeScript does not have types for these calls yet.

type Reviver = (this: never, key: string, value: unknown, context: { readonly source?: string }) => unknown
const parse = JSON.parse as (text: string, reviver: Reviver) => unknown
const { rawJSON } = JSON as unknown as { rawJSON(text: string): object }

/** Where an object or list keeps the digits that a JavaScript number would round. */
const DIGITS = Symbol('digits')

interface Holder {
  [DIGITS]?: Map<string, string>
}

const keepDigits = (holder: Holder, key: string, source: string): void => {
  if (holder[DIGITS] === undefined) Object.defineProperty(holder, DIGITS, { value: new Map() })
  holder[DIGITS]?.set(key, source)
}

/** The number under this key as written, if it has more digits than a JavaScript number holds. */
export const digitsOf = (holder: unknown, key: string | number): string | undefined =>
  typeof holder === 'object' && holder !== null ? (holder as Holder)[DIGITS]?.get(String(key)) : undefined

const LONGEST_SAFE = 15

/** Numbers stay numbers; `digitsOf` has their exact digits. Most bodies are parsed without a reviver. */
export const parseExact = (text: string): unknown => {
  if (!/[0-9][0-9.]{15}/.test(text)) return JSON.parse(text)
  return parse(text, function (this: Holder, key, value, { source = '' }) {
    if (typeof value === 'number' && source.length > LONGEST_SAFE) keepDigits(this, key, source)
    return value
  })
}

/** Some members of an object that `parseExact` returned, with every digit of their numbers. */
export const pickExact = (
  given: Readonly<Record<string, unknown>>,
  names: readonly string[],
): Record<string, unknown> => {
  const picked: Record<string, unknown> = {}
  for (const name of names) {
    if (!Object.hasOwn(given, name)) continue
    picked[name] = given[name]
    const digits = digitsOf(given, name)
    if (digits !== undefined) keepDigits(picked as Holder, name, digits)
  }
  return picked
}

/** Represents a number with these digits in the input of `JSON.stringify`. */
export const rawNumber = (text: string): object => rawJSON(text)

/** What `parseExact` returned → the same JSON again, with every digit. */
export const stringifyExact = (value: unknown): string =>
  JSON.stringify(value, function (this: unknown, key, part) {
    const digits = typeof part === 'number' ? digitsOf(this, key) : undefined
    return digits === undefined ? part : rawNumber(digits)
  })
