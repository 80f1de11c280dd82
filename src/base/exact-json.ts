// JSON whose numbers keep all their digits, read and written. The types of the language do not know these calls yet.

type Reviver = (key: string, value: unknown, context: { readonly source?: string }) => unknown
const parse = JSON.parse as (text: string, reviver: Reviver) => unknown
const { rawJSON } = JSON as unknown as { rawJSON(text: string): object }

/** Numbers as the text they were written in. */
export const parseWithNumbersAsText = (text: string): unknown =>
  parse(text, (_key, value, { source }) => (typeof value === 'number' ? source : value))

/** Whole numbers that a JavaScript number cannot hold become bigints; the usual body is parsed without a reviver. */
export const parseExact = (text: string): unknown => {
  if (!/[0-9]{16}/.test(text)) return JSON.parse(text)
  return parse(text, (_key, value, { source }) =>
    typeof value === 'number' && !Number.isSafeInteger(value) && /^-?[0-9]+$/.test(source ?? '')
      ? BigInt(source ?? '')
      : value,
  )
}

/** To stand for a number in what `JSON.stringify` is given. */
export const rawNumber = (text: string): object => rawJSON(text)
