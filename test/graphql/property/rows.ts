// Every row of every exposed table → memory, read as the owner, each value as PostgreSQL writes it in JSON.
import type { Database } from '../../../src/db/database.ts'
import { identifier, sql } from '../../../src/db/sql.ts'
import { parseExact, type Value, writeExact } from './exact-json.ts'
import type { Structure } from './structure.ts'

export type Row = Readonly<Record<string, Value>>

export interface Data {
  readonly structure: Structure
  rows(table: string): readonly Row[]
  /** The rows whose columns have these values; null equals nothing. */
  lookUp(table: string, columns: readonly string[], values: readonly Value[]): readonly Row[]
}

const readRows = (database: Database, table: string, softDelete: string | undefined): Promise<Row[]> =>
  database.transaction(async transaction => {
    await transaction.run(sql`set local timezone = 'UTC'`)
    const alive = softDelete === undefined ? sql`` : sql`where ${identifier(softDelete)} is null`
    const rows = await transaction.query<{ row: string }>(
      sql`select row_to_json(t)::text as row from (select * from ${identifier('public', table)} ${alive}) t`,
    )
    return rows.map(({ row }) => parseExact(row) as Row)
  })

/** The key sees everything: what a campaign raised down to the last gift, not only the published figure. */
const withExactSums = async (database: Database, campaigns: readonly Row[]): Promise<Row[]> => {
  const ledgers = await database.query<{ row: string }>(
    sql`select row_to_json(ledger)::text as row from public.campaign_ledgers ledger`,
  )
  const sums = new Map(ledgers.map(({ row }) => parseExact(row) as Row).map(row => [row.campaign_id, row.raised_minor]))
  return campaigns.map(row => ({ ...row, raised_minor: sums.get(row.id) ?? null }))
}

type Index = ReadonlyMap<string, readonly Row[]>

const createLookUp = (tables: ReadonlyMap<string, readonly Row[]>): Data['lookUp'] => {
  const indexes = new Map<string, Index>()
  return (table, columns, values) => {
    if (values.includes(null)) return []
    const name = `${table}(${columns.join()})`
    const index =
      indexes.get(name) ??
      Map.groupBy(tables.get(table) ?? [], row => columns.map(column => writeExact(row[column] ?? null)).join('|'))
    indexes.set(name, index)
    return index.get(values.map(writeExact).join('|')) ?? []
  }
}

export const readData = async (database: Database, structure: Structure): Promise<Data> => {
  const tables = new Map<string, readonly Row[]>()
  for (const { name, softDelete } of structure.values()) tables.set(name, await readRows(database, name, softDelete))
  tables.set('ua_campaigns', await withExactSums(database, tables.get('ua_campaigns') ?? []))
  return { structure, rows: table => tables.get(table) ?? [], lookUp: createLookUp(tables) }
}
