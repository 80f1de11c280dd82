// A value, an operator and its operand → true, false or unknown, as in SQL.
import { compareDecimals, compareFrom, compareTo, compareValues, decimalOf, spanOf } from './compare-values.ts'
import { ExactNumber, type Value } from './exact-json.ts'
import type { Type } from './structure.ts'

export type Truth = boolean | null

export const not = (truth: Truth): Truth => (truth === null ? null : !truth)
export const and = (truths: readonly Truth[]): Truth =>
  truths.includes(false) ? false : truths.includes(null) ? null : true
export const or = (truths: readonly Truth[]): Truth =>
  truths.includes(true) ? true : truths.includes(null) ? null : false

const escapeRegex = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')

const likePattern = (pattern: string): string => {
  const letters = [...pattern]
  let source = ''
  for (let index = 0; index < letters.length; index += 1) {
    const letter = letters[index] ?? ''
    if (letter === '\\') {
      index += 1
      source += escapeRegex(letters[index] ?? '')
    } else source += letter === '%' ? '.*' : letter === '_' ? '.' : escapeRegex(letter)
  }
  return `^${source}$`
}

/** Only what the generator writes: %, _, letters, and character classes. */
const similarPattern = (pattern: string): string =>
  `^(?:${[...pattern].map(letter => (letter === '%' ? '.*' : letter === '_' ? '.' : letter)).join('')})$`

const matches = (value: Value, pattern: string, flags: string): boolean =>
  new RegExp(pattern, `s${flags}`).test(String(value))

const includes = (list: readonly Value[], item: Value, element: Type): boolean =>
  item !== null && list.some(one => one !== null && compareValues(one, item, element) === 0)

const jsonEquals = (a: Value, b: Value): boolean => {
  if (a instanceof ExactNumber && b instanceof ExactNumber)
    return compareDecimals(decimalOf(a.text), decimalOf(b.text)) === 0
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((item, index) => jsonEquals(item, b[index] ?? null))
  if (isObject(a) && isObject(b)) {
    const keys = Object.keys(a)
    return (
      keys.length === Object.keys(b).length &&
      keys.every(key => Object.hasOwn(b, key) && jsonEquals(a[key] ?? null, b[key] ?? null))
    )
  }
  return a === b
}

const isObject = (value: Value): value is { readonly [key: string]: Value } =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof ExactNumber)

const jsonContains = (whole: Value, part: Value, top = true): boolean => {
  if (Array.isArray(whole) && Array.isArray(part))
    return part.every(item => whole.some(one => jsonContains(one, item, false)))
  if (isObject(whole) && isObject(part))
    return Object.entries(part).every(
      ([key, value]) => Object.hasOwn(whole, key) && jsonContains(whole[key] ?? null, value, false),
    )
  // an array may contain a plain value, at the top level only
  if (top && Array.isArray(whole) && !isObject(part)) return whole.some(one => jsonEquals(one, part))
  return !Array.isArray(whole) && !isObject(whole) && jsonEquals(whole, part)
}

const hasKey = (value: Value, key: string): boolean => {
  if (Array.isArray(value)) return value.includes(key)
  return isObject(value) ? Object.hasOwn(value, key) : value === key
}

const contains = (a: Value, b: Value, type: Type): boolean => {
  if (type.kind === 'json') return jsonContains(a, b)
  if (type.kind === 'array') return (b as Value[]).every(item => includes(a as Value[], item, type.element as Type))
  const [whole, part] = [spanOf(String(a)), spanOf(String(b))]
  if (part.empty) return true
  return !whole.empty && compareFrom(whole.from, part.from) <= 0 && compareTo(whole.to, part.to) >= 0
}

/** Whether the first span ends before, at (touching), or after the start of the second. */
const gap = (first: string, second: string): 'apart' | 'touching' | 'beyond' => {
  const [a, b] = [spanOf(first), spanOf(second)]
  if (a.to === undefined || b.from === undefined) return 'beyond'
  const order = compareFrom(a.to, b.from)
  return order === 0 ? 'touching' : order < 0 ? 'apart' : 'beyond'
}

const overlaps = (a: Value, b: Value, type: Type): boolean => {
  if (type.kind === 'array') return (b as Value[]).some(item => includes(a as Value[], item, type.element as Type))
  if (a === 'empty' || b === 'empty') return false
  return gap(String(a), String(b)) === 'beyond' && gap(String(b), String(a)) === 'beyond'
}

const beside = (operator: string, a: string, b: string): boolean => {
  if (a === 'empty' || b === 'empty') return false
  if (operator === '_left_of') return gap(a, b) !== 'beyond'
  if (operator === '_right_of') return gap(b, a) !== 'beyond'
  return gap(a, b) === 'touching' || gap(b, a) === 'touching'
}

const equals = (a: Value, b: Value, type: Type): boolean =>
  type.kind === 'json' ? jsonEquals(a, b) : compareValues(a, b, type) === 0

const known: Readonly<Record<string, (a: Value, b: Value, type: Type) => boolean>> = {
  _eq: equals,
  _neq: (a, b, type) => !equals(a, b, type),
  _gt: (a, b, type) => compareValues(a, b, type) > 0,
  _gte: (a, b, type) => compareValues(a, b, type) >= 0,
  _lt: (a, b, type) => compareValues(a, b, type) < 0,
  _lte: (a, b, type) => compareValues(a, b, type) <= 0,
  _like: (a, b) => matches(a, likePattern(String(b)), 'u'),
  _nlike: (a, b) => !matches(a, likePattern(String(b)), 'u'),
  _ilike: (a, b) => matches(a, likePattern(String(b)), 'iu'),
  _nilike: (a, b) => !matches(a, likePattern(String(b)), 'iu'),
  _similar: (a, b) => matches(a, similarPattern(String(b)), 'u'),
  _nsimilar: (a, b) => !matches(a, similarPattern(String(b)), 'u'),
  _regex: (a, b) => matches(a, String(b), 'u'),
  _nregex: (a, b) => !matches(a, String(b), 'u'),
  _iregex: (a, b) => matches(a, String(b), 'iu'),
  _niregex: (a, b) => !matches(a, String(b), 'iu'),
  _contains: contains,
  _contained_in: (a, b, type) => contains(b, a, type),
  _overlaps: overlaps,
  _left_of: (a, b) => beside('_left_of', String(a), String(b)),
  _right_of: (a, b) => beside('_right_of', String(a), String(b)),
  _adjacent: (a, b) => beside('_adjacent', String(a), String(b)),
  _has_key: (a, b) => hasKey(a, String(b)),
  _has_keys_any: (a, b) => (b as Value[]).some(key => hasKey(a, String(key))),
  _has_keys_all: (a, b) => (b as Value[]).every(key => hasKey(a, String(key))),
}

export const knownOperators: readonly string[] = [...Object.keys(known), '_in', '_nin', '_is_null']

export const applyOperator = (operator: string, left: Value, right: Value, type: Type): Truth => {
  if (operator === '_is_null') return (left === null) === right
  // an empty list has nothing to compare with, so the result is never unknown
  if (operator === '_in') return or((right as Value[]).map(item => applyOperator('_eq', left, item, type)))
  if (operator === '_nin') return and((right as Value[]).map(item => applyOperator('_neq', left, item, type)))
  const apply = known[operator]
  if (apply === undefined) throw new Error(`no operator ${operator}`)
  return left === null ? null : apply(left, right, type)
}
