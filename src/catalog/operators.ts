// Which comparisons each type of value allows, and the PostgreSQL operator behind each: one table for schema, planner and docs.
import type { ValueType } from './value-type.ts'

export interface Operator {
  readonly name: string
  readonly sql: string
  /** What stands on the right: a value like the column's, a list of such, text, or a list of texts. */
  readonly operand: 'same' | 'list' | 'text' | 'texts'
  readonly description: string
}

const operator = (name: string, sql: string, operand: Operator['operand'], description: string): Operator => ({
  name,
  sql,
  operand,
  description,
})

const comparisons: readonly Operator[] = [
  operator('_eq', '=', 'same', 'is equal'),
  operator('_neq', '<>', 'same', 'is not equal'),
  operator('_gt', '>', 'same', 'is greater'),
  operator('_gte', '>=', 'same', 'is greater or equal'),
  operator('_lt', '<', 'same', 'is less'),
  operator('_lte', '<=', 'same', 'is less or equal'),
  operator('_in', '= any', 'list', 'is one of a list; nothing is in an empty list'),
  operator('_nin', '<> all', 'list', 'is none of a list'),
]

const textual: readonly Operator[] = [
  operator('_like', 'like', 'same', 'matches a pattern: % for any text, _ for one letter'),
  operator('_nlike', 'not like', 'same', 'does not match a pattern'),
  operator('_ilike', 'ilike', 'same', 'matches a pattern, capital or small'),
  operator('_nilike', 'not ilike', 'same', 'does not match a pattern, capital or small'),
  operator('_similar', 'similar to', 'same', "matches a pattern of SQL's SIMILAR TO"),
  operator('_nsimilar', 'not similar to', 'same', "does not match a pattern of SQL's SIMILAR TO"),
  operator('_regex', '~', 'same', 'matches a regular expression'),
  operator('_iregex', '~*', 'same', 'matches a regular expression, capital or small'),
  operator('_nregex', '!~', 'same', 'does not match a regular expression'),
  operator('_niregex', '!~*', 'same', 'does not match a regular expression, capital or small'),
]

const containing: readonly Operator[] = [
  operator('_contains', '@>', 'same', 'contains all of'),
  operator('_contained_in', '<@', 'same', 'is contained in'),
]
const overlapping: readonly Operator[] = [operator('_overlaps', '&&', 'same', 'has something in common with')]

const keys: readonly Operator[] = [
  operator('_has_key', '?', 'text', 'has a key'),
  operator('_has_keys_any', '?|', 'texts', 'has one of the keys'),
  operator('_has_keys_all', '?&', 'texts', 'has all of the keys'),
]

const sides: readonly Operator[] = [
  operator('_left_of', '<<', 'same', 'lies wholly before'),
  operator('_right_of', '>>', 'same', 'lies wholly after'),
  operator('_adjacent', '-|-', 'same', 'touches without overlapping'),
]

const special = (type: ValueType): readonly Operator[] => {
  if (type.element !== undefined) return type.ordered ? [...containing, ...overlapping] : []
  if (type.family === 'text') return textual
  if (type.family === 'jsonb') return [...containing, ...keys]
  if (type.family === 'range') return [...containing, ...overlapping, ...sides]
  return []
}

/** Beside these, every column has `_is_null`. */
export const operatorsOf = (type: ValueType): readonly Operator[] => [
  // PostgreSQL has no lists of lists, so a list is not looked for in a list.
  ...(type.ordered ? comparisons.filter(({ operand }) => type.element === undefined || operand !== 'list') : []),
  ...special(type),
]
