// The expected and the actual response → a description of the first difference; undefined when they are the same.
import { compareDecimals, decimalOf } from './compare-values.ts'
import { ExactNumber, type Value, writeExact } from './exact-json.ts'
import { Approximate } from './totals.ts'

const isClose = (a: number, b: number): boolean => Math.abs(a - b) <= 1e-9 * Math.max(1, Math.abs(a), Math.abs(b))

const isSameNumber = (expected: ExactNumber, given: ExactNumber): boolean => {
  if (expected instanceof Approximate) return isClose(Number(expected.text), Number(given.text))
  return compareDecimals(decimalOf(expected.text), decimalOf(given.text)) === 0
}

const say = (path: string, expected: Value | undefined, given: Value | undefined): string =>
  `${path}: expected ${expected === undefined ? 'nothing' : writeExact(expected)}, got ${given === undefined ? 'nothing' : writeExact(given)}`

export const difference = (
  expected: Value | undefined,
  given: Value | undefined,
  path = 'data',
): string | undefined => {
  if (expected instanceof ExactNumber && given instanceof ExactNumber)
    return isSameNumber(expected, given) ? undefined : say(path, expected, given)
  if (Array.isArray(expected) && Array.isArray(given)) {
    for (let index = 0; index < Math.max(expected.length, given.length); index += 1) {
      const found = difference(expected[index], given[index], `${path}[${index}]`)
      if (found !== undefined) return found
    }
    return undefined
  }
  const isPlain = (value: Value | undefined): value is Record<string, Value> =>
    typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof ExactNumber)
  if (!isPlain(expected) || !isPlain(given)) return expected === given ? undefined : say(path, expected, given)
  // Keys are in query order.
  const [left, right] = [Object.keys(expected).join(), Object.keys(given).join()]
  if (left !== right) return `${path}: expected the keys ${left}, got ${right}`
  for (const key of Object.keys(expected)) {
    const found = difference(expected[key], given[key], `${path}.${key}`)
    if (found !== undefined) return found
  }
  return undefined
}
