// A table and a person → the person's rows, in pieces: no secret, and nothing of other people who stand in the same rows.
import type { Queryable } from '../../db/database.ts'
import { identifier, joinSql, rawSql, type Sql, sql } from '../../db/sql.ts'
import type { OwnColumn, OwnTable } from '../own-table.ts'
import type { Person } from '../person.ts'
import { isTheirs, rowsOf } from '../rows-of.ts'

export type ExportedRow = Readonly<Record<string, unknown>>

/** What it streams: one table, or something that is put together. */
export interface ExportedSource {
  readonly name: string
  readonly columns: readonly string[]
  /** Batches; a new reading begins anew. */
  readonly read: () => AsyncIterable<readonly ExportedRow[]>
}

const ROWS_AT_A_TIME = 500
/** Of each table. A person with more has used an app that reads every few seconds; the newest would tell nothing else. */
export const MOST_ROWS = 100_000

const isSecret = ({ name, type, isUnexported }: OwnColumn): boolean =>
  isUnexported || type === 'bytea' || /(_hash|_sealed)$/.test(name)

/** The identifier of somebody else is left out. */
const ownIdentifier = ({ name }: OwnColumn, { userId, memberIds }: Person): Sql => {
  const value = identifier('own', name)
  return sql`case when ${value}::text = any (${[userId, ...memberIds]}::text[]) then ${value} end`
}

const exported = (column: OwnColumn, person: Person): Sql => {
  const value = identifier('own', column.name)
  if (column.points) return ownIdentifier(column, person)
  const theirs = isTheirs(column, person)
  return theirs === undefined ? value : sql`case when ${theirs} then ${value} end`
}

const names: Readonly<Record<string, Sql>> = {
  app: sql`(select name from minaret.apps where id::text = own.app_id::text)`,
  masjid: sql`(select name from public.up_masjids where id = own.masjid_id)`,
}

/** Besides an identifier of an app or a masjid, what it is called. */
const namesFor = ({ columns }: OwnTable): (readonly [string, Sql])[] =>
  Object.entries(names).filter(
    ([name]) => columns.some(column => column.name === `${name}_id`) && columns.every(column => column.name !== name),
  )

const selected = (table: OwnTable, person: Person): (readonly [string, Sql])[] => [
  ...table.columns.filter(column => !isSecret(column)).map(column => [column.name, exported(column, person)] as const),
  ...namesFor(table),
]

interface Keyed {
  readonly document: ExportedRow
  readonly place: readonly string[]
}

/** Rows behind this one, by the primary key. */
const behind = ({ key, columns }: OwnTable, place: readonly string[] | undefined): Sql => {
  if (place === undefined || key.length === 0) return sql`true`
  const typed = key.map((name, index) => {
    const type = columns.find(column => column.name === name)?.type ?? 'text'
    return sql`${place[index]}::text::${rawSql(type)}`
  })
  return sql`(${joinSql(key.map(name => identifier('own', name)))}) > (${joinSql(typed)})`
}

const page = (table: OwnTable, person: Person, place: readonly string[] | undefined): Sql => {
  const values = selected(table, person)
  const key = joinSql(table.key.map(name => identifier('own', name)))
  return sql`
    select (select to_jsonb(one) from (select ${joinSql(
      values.map(([name, value]) => sql`${value} as ${identifier(name)}`),
    )}) one) as document, array[${joinSql(table.key.map(name => sql`${identifier('own', name)}::text`))}]::text[] as place
    from ${identifier(table.schema, table.name)} own
    where ${rowsOf(table, person)} and ${behind(table, place)}
    order by ${table.key.length === 0 ? sql`1` : key} limit ${ROWS_AT_A_TIME}`
}

/** Each batch is a statement of its own: a slow download holds no connection. */
async function* readRows(
  queryable: Queryable,
  table: OwnTable,
  person: Person,
): AsyncGenerator<readonly ExportedRow[]> {
  let place: readonly string[] | undefined
  for (let left = MOST_ROWS; left > 0; ) {
    const rows = await queryable.query<Keyed>(page(table, person, place))
    if (rows.length > 0) yield rows.map(({ document }) => document)
    if (rows.length < ROWS_AT_A_TIME || table.key.length === 0) return
    left -= rows.length
    place = rows.at(-1)?.place
  }
}

export const exportedTable = (queryable: Queryable, table: OwnTable, person: Person): ExportedSource => ({
  name: table.name,
  columns: selected(table, person).map(([name]) => name),
  read: () => readRows(queryable, table, person),
})
