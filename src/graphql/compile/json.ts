// Select items → JSON in PostgreSQL, with the keys in the order of the query.
import { quoteIdentifier, quoteLiteral } from '../../db/sql.ts'

export type Item = readonly [key: string, expression: string]

/** PostgreSQL cuts longer names off. */
const LONGEST_NAME = 63
/** A function takes at most 100 arguments: 50 pairs. */
const MOST_PAIRS = 50

/** For any keys: by function, or, where they are too many for one, by putting texts together. */
export const jsonObject = (items: readonly Item[]): string => {
  if (items.length <= MOST_PAIRS)
    return `json_build_object(${items.map(([key, expression]) => `${quoteLiteral(key)}, ${expression}`).join(', ')})`
  const members = items.map(([key, expression]) => `'"${key}":' || coalesce(to_json(${expression})::text, 'null')`)
  return `('{' || ${members.join(` || ',' || `)} || '}')::json`
}

const fitsNames = (items: readonly Item[]): boolean => items.every(([key]) => key.length <= LONGEST_NAME)

/** Rows as columns are made into JSON fastest; keys that are too long for a column's name go through a function. */
const selectItems = (items: readonly Item[]): string =>
  fitsNames(items)
    ? items.map(([key, expression]) => `${expression} as ${quoteIdentifier(key)}`).join(', ')
    : `${jsonObject(items)} as "json"`

export interface JsonSelect {
  /** The items of the select, to stand before `rest`. */
  readonly items: readonly Item[]
  /** What follows them: from, where and so on. */
  readonly rest: string
  readonly alias: string
}

const rowOf = ({ items, alias }: JsonSelect): string =>
  fitsNames(items) ? quoteIdentifier(alias) : `${quoteIdentifier(alias)}."json"`

const inner = ({ items, rest }: JsonSelect): string => `select ${selectItems(items)}${rest === '' ? '' : ` ${rest}`}`

export const jsonList = (select: JsonSelect): string =>
  `(select coalesce(json_agg(${rowOf(select)}), '[]') from (${inner(select)}) ${quoteIdentifier(select.alias)})`

export const jsonRow = (select: JsonSelect): string =>
  `(select to_json(${rowOf(select)}) from (${inner(select)}) ${quoteIdentifier(select.alias)})`

/** The whole statement: one row with one text. */
export const jsonStatement = (select: JsonSelect): string =>
  `select to_json(${rowOf(select)})::text as "data" from (${inner(select)}) ${quoteIdentifier(select.alias)}`
