// A value within a sentence of plain text → the same, kept from turning the words around it.

const rightToLeft = /[\u0590-\u08ff\u200f\ufb1d-\ufdff\ufe70-\ufefc]/u
const leftToRight = /(?![\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc])\p{L}/u

const FIRST_STRONG_ISOLATE = '\u2068'
const POP_ISOLATE = '\u2069'

/**
 * Unicode UAX 9: with these marks the value has a direction of its own. They are left out where they would change nothing, and
 * around links, whose end mail programs would not find. On pages, elements do the same (`<bdi>`).
 */
export const isolate = (value: string, sentence: string): string => {
  const other = rightToLeft.test(sentence) ? leftToRight : rightToLeft
  return other.test(value) && !value.includes('://') ? `${FIRST_STRONG_ISOLATE}${value}${POP_ISOLATE}` : value
}
