// SQL expressions → JSON that PostgreSQL writes as text, with the keys in query order.
// Text is concatenated: `json_agg` and `to_json` of rows look up the type of every column for every row.
import { quoteIdentifier, quoteLiteral } from '../../db/sql.ts'
import type { Writer } from './writer.ts'

/** What becomes JSON: literal JSON text, or an expression. */
export type Written =
  | { readonly words: string }
  | {
      readonly sql: string
      /** `json`: JSON as text, never null. `quoted`: never null, with nothing to escape. `any`: any type, or null. */
      readonly form: 'json' | 'quoted' | 'any'
    }

export type Item = readonly [key: string, expression: Written]

export const anyValue = (sql: string): Written => ({ sql, form: 'any' })
export const writtenJson = (sql: string): Written => ({ sql, form: 'json' })

/** A part of a text: a literal of ours, a short expression of any type, or a text that may be long. */
type Piece = { readonly words: string } | { readonly short: string } | { readonly long: string }

/** A function takes at most 100 arguments. */
const MOST_ARGUMENTS = 100

const piecesOf = ({ toJson }: Writer, written: Written): Piece[] => {
  if ('words' in written) return [written]
  const { sql, form } = written
  if (form === 'json') return [{ long: sql }]
  if (form === 'quoted') return [{ words: '"' }, { short: sql }, { words: '"' }]
  return [{ short: `coalesce(${toJson}(${sql}), 'null')` }]
}

/** A single literal needs no function. */
const concat = (parts: readonly string[]): string =>
  parts.length === 1 ? String(parts[0]) : `concat(${parts.join(', ')})`

/** Short pieces are joined by `concat`; long ones by `||`, which copies them once where `concat` does it twice. */
const join = (pieces: readonly Piece[]): string => {
  const joined: string[] = []
  let parts: string[] = []
  let words = ''
  const endWords = (): void => {
    if (words !== '') parts.push(quoteLiteral(words))
    words = ''
  }
  const endParts = (): void => {
    endWords()
    if (parts.length > 0) joined.push(concat(parts))
    parts = []
  }
  for (const piece of pieces)
    if ('words' in piece) words += piece.words
    else if ('long' in piece) {
      endParts()
      joined.push(piece.long)
    } else {
      if (parts.length + 3 > MOST_ARGUMENTS) endParts()
      endWords()
      parts.push(piece.short)
    }
  endParts()
  return joined.join(' || ')
}

/** GraphQL names need no escaping. */
const objectPieces = (writer: Writer, items: readonly Item[]): Piece[] => {
  const members = items.flatMap(([key, expression], index): Piece[] => [
    { words: `${index === 0 ? '' : ','}"${key}":` },
    ...piecesOf(writer, expression),
  ])
  return [{ words: '{' }, ...members, { words: '}' }]
}

export const objectText = (writer: Writer, items: readonly Item[]): string => join(objectPieces(writer, items))

export const jsonObject = (writer: Writer, items: readonly Item[]): Written =>
  writtenJson(`(${objectText(writer, items)})`)

export interface JsonSelect {
  /** The items of the select, to precede `rest`. */
  readonly items: readonly Item[]
  /** What follows them: from, where and so on. */
  readonly rest: string
}

/** One row at most; null if there is none. */
export const jsonRow = (writer: Writer, { items, rest }: JsonSelect): Written =>
  writtenJson(`coalesce((select ${objectText(writer, items)} ${rest}), 'null')`)

/** Items under names within a subselect, and the same as its columns. */
const namedItems = (
  items: readonly Item[],
  alias: string,
): { readonly inner: string; readonly outer: readonly Item[] } => ({
  inner: items.flatMap(([, one], index) => ('words' in one ? [] : `${one.sql} as "c${index}"`)).join(', '),
  outer: items.map(
    ([key, one], index): Item => [key, 'words' in one ? one : { sql: `${alias}."c${index}"`, form: one.form }],
  ),
})

/** Rows are first sorted and cut to the page, and only then written. The line break lets us count rows cheaply. */
export const jsonList = (writer: Writer, { items, rest }: JsonSelect, name: string): Written => {
  const alias = quoteIdentifier(name)
  const { inner, outer } = namedItems(items, alias)
  const rows = `'[' || string_agg(${objectText(writer, outer)}, E',\\n') || ']'`
  return writtenJson(`(select coalesce(${rows}, '[]') from (select ${inner} ${rest}) ${alias})`)
}

/**
 * A list as a whole statement, then a line with the last item of its last row, which is not shown; that line is empty
 * if there is no row.
 */
export const jsonStreamStatement = (writer: Writer, key: string, { items, rest }: JsonSelect): string => {
  const { inner, outer } = namedItems(items, '"row"')
  const shown = objectText(writer, outer.slice(0, -1))
  const last = `"row"."c${items.length - 1}"`
  const list = `coalesce('[' || string_agg(${shown}, E',\\n') || ']', '[]')`
  const page = `select ${list} as "list", coalesce((array_agg(${last}))[count(*)::int], '') as "last" from (select ${inner} ${rest}) "row"`
  return `select concat(${quoteLiteral(`{"${key}":`)}, "page"."list", E'}\\n', "page"."last") as "data" from (${page}) "page"`
}

/** The whole statement: one row with one text. */
export const jsonStatement = (writer: Writer, items: readonly Item[]): string =>
  `select ${objectText(writer, items)} as "data"`

/** The same for a query of a single row: without a subquery, and with no row if there is none. */
export const jsonRowStatement = (writer: Writer, key: string, { items, rest }: JsonSelect): string => {
  const pieces = [{ words: `{"${key}":` }, ...objectPieces(writer, items), { words: '}' }]
  return `select ${join(pieces)} as "data" ${rest}`
}
