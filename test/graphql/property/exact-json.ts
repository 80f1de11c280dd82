// JSON text → values in which every number keeps its digits, and back.

/** A number as written: `0.50` and `9007199254740993` lose nothing. */
export class ExactNumber {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

export type Value = null | boolean | string | ExactNumber | Value[] | { readonly [key: string]: Value }

type Reviver = (this: unknown, key: string, value: unknown, context: { source?: string }) => unknown

const keepDigits: Reviver = (_key, value, { source }) =>
  typeof value === 'number' ? new ExactNumber(source ?? String(value)) : value

export const parseExact = (text: string): Value =>
  JSON.parse(text, keepDigits as (key: string, value: unknown) => unknown) as Value

export const writeExact = (value: Value): string => {
  if (value instanceof ExactNumber) return value.text
  if (Array.isArray(value)) return `[${value.map(writeExact).join()}]`
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  return `{${Object.entries(value)
    .map(([key, part]) => `${JSON.stringify(key)}:${writeExact(part)}`)
    .join()}}`
}

export const exact = (number: number | bigint): ExactNumber => new ExactNumber(String(number))
