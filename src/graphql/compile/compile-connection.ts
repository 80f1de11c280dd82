// A connection → SQL that writes it as JSON: the page is read once, one row longer where something depends on whether there
// are more, and its edges and ends are made of what was read.
import { quoteIdentifier } from '../../db/sql.ts'
import type { Connection, ConnectionField, EdgeField, Field, PageInfoField, Rows } from '../plan/plan.ts'
import { compileCursor } from './compile-order.ts'
import { compileRange } from './compile-range.ts'
import { typenameOf } from './compile-totals.ts'
import { type Item, jsonObject, objectText, type Written, writtenJson } from './json.ts'
import type { Hold, Row } from './row.ts'
import { nextAlias, type Writer } from './writer.ts'

export interface Within {
  readonly hold: Hold | undefined
  readonly fieldExpression: (writer: Writer, field: Field, row: Row, rows: Rows) => Written
}

/** The page as it is read: expressions of its rows become columns of it, so that each is worked out once. */
interface ReadPage {
  readonly columns: readonly string[]
  /** An expression of a row → the same as a column of the page. */
  readonly column: (written: Written) => Written
  readonly cursor: () => string
  /** The place of a row in the page, in the order of reading. */
  readonly place: string
}

const createPage = (alias: string, cursorOf: () => string): ReadPage => {
  const columns: string[] = []
  let cursor: string | undefined
  const add = (sql: string): string => {
    const name = `c${columns.length}`
    columns.push(`${sql} as "${name}"`)
    return `${alias}."${name}"`
  }
  return {
    columns,
    column: written => ('words' in written ? written : { sql: add(written.sql), form: written.form }),
    cursor: () => {
      cursor ??= add(cursorOf())
      return cursor
    },
    place: `${alias}."n"`,
  }
}

interface Compiling {
  readonly writer: Writer
  readonly connection: Connection
  readonly row: Row
  readonly page: ReadPage
  readonly fieldExpression: Within['fieldExpression']
}

const edgeItem = ({ writer, row, page, fieldExpression }: Compiling, field: EdgeField): Written => {
  if (field.kind === 'typename') return typenameOf(field.name)
  if (field.kind === 'cursor') return { sql: page.cursor(), form: 'quoted' }
  const items = field.rows.fields.map(
    (one): Item => [one.key, page.column(fieldExpression(writer, one, row, field.rows))],
  )
  return jsonObject(writer, items)
}

/** From the first row to the last, whichever way the page was read. */
const inOrder = ({ page, connection: { range } }: Compiling, from: 'first' | 'last'): string =>
  `${page.place} ${(from === 'first') === (range.backward === true) ? 'desc' : 'asc'}`

const onPage = ({ page, connection: { size } }: Compiling): string => `filter (where ${page.place} <= ${Number(size)})`

/** The line break is for those who count rows. */
const compileEdges = (compiling: Compiling, fields: readonly EdgeField[]): Written => {
  const edge = objectText(
    compiling.writer,
    fields.map((field): Item => [field.key, edgeItem(compiling, field)]),
  )
  const list = `string_agg(${edge}, E',\\n' order by ${inOrder(compiling, 'first')}) ${onPage(compiling)}`
  return writtenJson(`coalesce('[' || ${list} || ']', '[]')`)
}

const pageInfoItem = (compiling: Compiling, field: PageInfoField): Written => {
  switch (field.kind) {
    case 'typename':
      return typenameOf(field.name)
    case 'known':
      return { words: String(field.value) }
    case 'more':
      return writtenJson(`case when count(*) > ${Number(compiling.connection.size)} then 'true' else 'false' end`)
    case 'edge-cursor': {
      const { page } = compiling
      const cursors = `array_agg(${page.cursor()} order by ${inOrder(compiling, field.edge)}) ${onPage(compiling)}`
      return writtenJson(`coalesce('"' || (${cursors})[1] || '"', 'null')`)
    }
  }
}

const connectionItem = (compiling: Compiling, field: ConnectionField): Written => {
  if (field.kind === 'typename') return typenameOf(field.name)
  if (field.kind === 'edges') return compileEdges(compiling, field.fields)
  return jsonObject(
    compiling.writer,
    field.fields.map((one): Item => [one.key, pageInfoItem(compiling, one)]),
  )
}

export const compileConnection = (writer: Writer, connection: Connection, within: Within): Written => {
  const { range, fields } = connection
  const number = nextAlias(writer)
  const alias = quoteIdentifier(`r${number}`)
  const { row, rest } = compileRange(writer, range, `t${number}`, within.hold)
  const page = createPage(alias, () => compileCursor(writer, range, row))
  const compiling: Compiling = { writer, connection, row, page, fieldExpression: within.fieldExpression }
  const text = objectText(
    writer,
    fields.map((field): Item => [field.key, connectionItem(compiling, field)]),
  )
  const read = `select ${page.columns.join(', ')} ${rest}`
  return writtenJson(`(select ${text} from (select "p".*, row_number() over () as "n" from (${read}) "p") ${alias})`)
}
