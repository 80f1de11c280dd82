// The comparisons that each type of value supports, and their PostgreSQL operators: one table for schema, planner and docs.
import { quoteIdentifier } from '../db/sql.ts'
import type { ValueType } from './value-type.ts'

export interface Operator {
  readonly name: string
  readonly sql: string
  /** The right-hand side: a value of the column's type, a list of such (for list columns: `lists`), text, or a list of texts. */
  readonly operand: 'same' | 'list' | 'lists' | 'text' | 'texts'
  /** The type of the right-hand side, if it is another one of the same schema: `lquery`. */
  readonly of?: string
  /** The type of pg_catalog that text on the right-hand side is read as: `jsonpath`. */
  readonly readAs?: string
  /** Whether it is parenthesised. */
  readonly enclosed: boolean
  /** Whether it matches a pattern, which may be slow. */
  readonly search: boolean
  readonly description: string
}

const operator = (name: string, sql: string, operand: Operator['operand'], description: string): Operator => ({
  name,
  sql,
  operand,
  enclosed: operand === 'list',
  search: false,
  description,
})

const search = (name: string, sql: string, description: string): Operator => ({
  ...operator(name, sql, 'text', description),
  search: true,
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

/** PostgreSQL has no lists of lists: each list is sent as a separate text. */
const ofLists: readonly Operator[] = comparisons.map(one =>
  one.operand === 'list' ? { ...one, operand: 'lists' } : one,
)

/** Patterns are text: as char(n), a pattern would lose its trailing blanks. */
const textual: readonly Operator[] = [
  search('_like', 'like', 'matches a pattern: % for any text, _ for one letter'),
  search('_nlike', 'not like', 'does not match a pattern'),
  search('_ilike', 'ilike', 'matches a pattern, capital or small'),
  search('_nilike', 'not ilike', 'does not match a pattern, capital or small'),
  search('_similar', 'similar to', "matches a pattern of SQL's SIMILAR TO"),
  search('_nsimilar', 'not similar to', "does not match a pattern of SQL's SIMILAR TO"),
  search('_regex', '~', 'matches a regular expression'),
  search('_iregex', '~*', 'matches a regular expression, capital or small'),
  search('_nregex', '!~', 'does not match a regular expression'),
  search('_niregex', '!~*', 'does not match a regular expression, capital or small'),
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

/** A document that they do not fit is no error. */
const jsonPaths: readonly Operator[] = [
  { ...search('_jsonb_path_exists', '@?', 'has what a jsonpath leads to: $.a[*] ? (@ > 2)'), readAs: 'jsonpath' },
  { ...search('_jsonb_path_match', '@@', 'fulfils a jsonpath predicate: $.a[*] > 2'), readAs: 'jsonpath' },
]

const sides: readonly Operator[] = [
  operator('_left_of', '<<', 'same', 'lies wholly before'),
  operator('_right_of', '>>', 'same', 'lies wholly after'),
  operator('_adjacent', '-|-', 'same', 'touches without overlapping'),
]

/** For ltree, an extension: paths of labels. */
const paths: readonly Operator[] = [
  operator('_ancestor', '@>', 'same', 'is an ancestor of, or equal to'),
  operator('_ancestor_any', '@>', 'list', 'is an ancestor of one of a list'),
  operator('_descendant', '<@', 'same', 'is a descendant of, or equal to'),
  operator('_descendant_any', '<@', 'list', 'is a descendant of one of a list'),
  { ...search('_matches', '~', 'matches an lquery'), of: 'lquery' },
  { ...operator('_matches_any', '?', 'list', 'matches one of a list of lqueries'), of: 'lquery' },
  { ...search('_matches_fulltext', '@', 'matches an ltxtquery'), of: 'ltxtquery' },
]

/** By what they compare, as the documents list them. */
export const operatorGroups = {
  every: comparisons,
  text: textual,
  lists: [...containing, ...overlapping],
  json: [...containing, ...keys, ...jsonPaths],
  ranges: [...containing, ...overlapping, ...sides],
  paths,
}

/** The symbols of operators that are written as words. */
const signs: Readonly<Record<string, string>> = {
  '= any': '=',
  '<> all': '<>',
  like: '~~',
  'not like': '!~~',
  ilike: '~~*',
  'not ilike': '!~~*',
  'similar to': '~',
  'not similar to': '!~',
}

/** PostgreSQL finds an operator by its symbol alone only in pg_catalog and on the reader's search_path. */
export const operatorSign = (sign: string, { operators }: ValueType): string =>
  operators === undefined ? sign : `operator(${quoteIdentifier(operators)}.${sign})`

const qualified = (one: Operator, type: ValueType): Operator => {
  if (type.operators === undefined) return one
  const sign = operatorSign(signs[one.sql] ?? one.sql, type)
  if (one.operand === 'list') return { ...one, sql: `${sign} ${one.name === '_in' ? 'any' : 'all'}` }
  // What `similar to` expands to.
  return one.sql.endsWith('similar to')
    ? { ...one, sql: `${sign} "pg_catalog"."similar_to_escape"`, enclosed: true }
    : { ...one, sql: sign }
}

/** A pattern that the column's own collation does not support is matched with the database's, which supports all. */
const collated = (one: Operator, { patterns }: ValueType): Operator =>
  patterns === 'all' || (patterns === 'like' && /^_n?like$/.test(one.name))
    ? one
    : { ...one, sql: `collate "pg_catalog"."default" ${one.sql}` }

const special = (type: ValueType): readonly Operator[] => {
  if (type.element !== undefined) return type.ordered ? operatorGroups.lists : []
  if (type.family === 'text') return operatorGroups.text.map(one => collated(qualified(one, type), type))
  if (type.family === 'jsonb') return operatorGroups.json
  if (type.family === 'ltree') return operatorGroups.paths.map(one => ({ ...one, sql: operatorSign(one.sql, type) }))
  if (type.family === 'range') return operatorGroups.ranges
  return []
}

const inequalities = new Set(['_gt', '_gte', '_lt', '_lte'])

/** hstore, for example, is sorted by operators with other names: it has no <. */
const hasSign = (one: Operator, { below }: ValueType): boolean => below === '<' || !inequalities.has(one.name)

const comparisonsOf = (type: ValueType): readonly Operator[] => {
  if (!type.ordered) return []
  if (type.element !== undefined) return ofLists
  if (type.operators === undefined) return comparisons
  return comparisons.filter(one => hasSign(one, type)).map(one => qualified(one, type))
}

/** Types whose values can be compared as text. */
export const castsToText = ({ family, element }: ValueType): boolean =>
  element === undefined && (family === 'jsonb' || family === 'json')

/** In addition to these, every column has `_is_null`. */
export const operatorsOf = (type: ValueType): readonly Operator[] => [...comparisonsOf(type), ...special(type)]
