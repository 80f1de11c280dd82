// Expressions in SQL → JSON that PostgreSQL writes as text, with the keys in the order of the query.
// Texts are put together: `json_agg` and `to_json` of rows look the type of every column up for every row.
import { quoteIdentifier, quoteLiteral } from '../../db/sql.ts'
import type { Writer } from './writer.ts'

/** An expression, and how it becomes JSON. */
export interface Written {
  readonly sql: string
  /** `json`: it is JSON, and never null. `quoted`: never null, and a text with nothing to escape. `any`: any type, or null. */
  readonly form: 'json' | 'quoted' | 'any'
}

export type Item = readonly [key: string, expression: Written]

export const anyValue = (sql: string): Written => ({ sql, form: 'any' })
export const writtenJson = (sql: string): Written => ({ sql, form: 'json' })

/** A part of a text: words of ours, or what an expression gives. */
type Piece = { readonly words: string } | { readonly sql: string }

/** A function takes at most 100 arguments. */
const MOST_ARGUMENTS = 100

const piecesOf = ({ toJson }: Writer, { sql, form }: Written): Piece[] => {
  if (form === 'json') return [{ sql }]
  if (form === 'quoted') return [{ words: '"' }, { sql }, { words: '"' }]
  return [{ sql: `coalesce(${toJson}(${sql}), 'null')` }]
}

const joinWords = (pieces: readonly Piece[]): string[] => {
  const parts: string[] = []
  let words = ''
  for (const piece of pieces)
    if ('words' in piece) words += piece.words
    else {
      parts.push(quoteLiteral(words), piece.sql)
      words = ''
    }
  return [...parts, quoteLiteral(words)]
}

const concat = (parts: readonly string[]): string => {
  if (parts.length <= MOST_ARGUMENTS) return `concat(${parts.join(', ')})`
  const count = Math.ceil(parts.length / MOST_ARGUMENTS)
  const chunks = Array.from({ length: count }, (_, index) =>
    parts.slice(index * MOST_ARGUMENTS, (index + 1) * MOST_ARGUMENTS),
  )
  return concat(chunks.map(concat))
}

/** Names of GraphQL need no escaping. */
const objectText = (writer: Writer, items: readonly Item[]): string => {
  const members = items.flatMap(([key, expression], index): Piece[] => [
    { words: `${index === 0 ? '' : ','}"${key}":` },
    ...piecesOf(writer, expression),
  ])
  return concat(joinWords([{ words: '{' }, ...members, { words: '}' }]))
}

export const jsonObject = (writer: Writer, items: readonly Item[]): Written => writtenJson(objectText(writer, items))

export interface JsonSelect {
  /** The items of the select, to stand before `rest`. */
  readonly items: readonly Item[]
  /** What follows them: from, where and so on. */
  readonly rest: string
}

/** Of one row at most; null where there is none. */
export const jsonRow = (writer: Writer, { items, rest }: JsonSelect): Written =>
  writtenJson(`coalesce((select ${objectText(writer, items)} ${rest}), 'null')`)

/** Rows are first sorted and cut to the page, and only then written. The line break is for those who count rows. */
export const jsonList = (writer: Writer, { items, rest }: JsonSelect, name: string): Written => {
  const alias = quoteIdentifier(name)
  const inner = items.map(([, { sql }], index) => `${sql} as "c${index}"`).join(', ')
  const outer = items.map(([key, { form }], index): Item => [key, { sql: `${alias}."c${index}"`, form }])
  const rows = `'[' || string_agg(${objectText(writer, outer)}, E',\\n') || ']'`
  return writtenJson(`(select coalesce(${rows}, '[]') from (select ${inner} ${rest}) ${alias})`)
}

/** The whole statement: one row with one text. */
export const jsonStatement = (writer: Writer, items: readonly Item[]): string =>
  `select ${objectText(writer, items)} as "data"`
