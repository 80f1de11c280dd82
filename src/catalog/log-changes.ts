// A model → every exposed table has the triggers that write the change log.
import type { DataSchema } from '../db/data-schema.ts'
import type { Queryable } from '../db/database.ts'
import { type GivingWay, isBusy } from '../db/giving-way.ts'
import { quoteIdentifier, sql } from '../db/sql.ts'
import type { Refusal } from './apply-grants.ts'
import type { Model } from './model.ts'

/** Two processes that see a new table at once take turns by the table's own lock. */
const watch = (database: GivingWay, relation: string): Promise<boolean> =>
  database.transaction(async transaction => {
    await transaction.run(sql`select minaret.hold_table(${relation}::regclass)`)
    const row = await transaction.first<{ logged: boolean }>(sql`select changes.watch(${relation}::regclass) as logged`)
    return row?.logged === true
  })

/** The sandbox's rows only change with its renewals, which log themselves. */
const isLogged = (schema: DataSchema): boolean => schema === 'public'

/** The tables whose changes are logged now, by oid. */
export const readLogged = async (database: Queryable, schema: DataSchema): Promise<ReadonlySet<number>> => {
  if (!isLogged(schema)) return new Set()
  const rows = await database.query<{ oid: string }>(
    sql`select logged::text as oid from changes.traced_tables() logged order by logged`,
  )
  return new Set(rows.map(({ oid }) => Number(oid)))
}

export interface Logging {
  /** A table is logged now that was not before. */
  readonly changed: boolean
  /** A table was in use; it is worth another attempt. */
  readonly busy: boolean
}

/** A table may be refused, for instance because another role owns it; then it is not in the log. */
export const logChanges = async (
  database: GivingWay,
  { schema, tables }: Model,
  onRefused: (refusal: Refusal) => void,
): Promise<Logging> => {
  let changed = false
  let busy = false
  if (!isLogged(schema)) return { changed, busy }
  for (const table of tables.values()) {
    if (table.logged || table.kind === 'view') continue
    const relation = `${quoteIdentifier(schema)}.${quoteIdentifier(table.relation)}`
    try {
      if (await watch(database, relation)) changed = true
    } catch (err) {
      if (isBusy(err)) busy = true
      else onRefused({ err, statement: `changes.watch ${relation}` })
    }
  }
  return { changed, busy }
}

/** Where no event trigger logs what is altered, it is logged here, once the tables have their triggers again. */
export const noteAlterations = async (database: GivingWay, schema: DataSchema): Promise<void> => {
  if (isLogged(schema)) await database.run(sql`select changes.note_alterations()`)
}

/** The tables that are not in the log, worded for the service's own log. */
export const unloggedTables = ({ schema, tables }: Model): string[] =>
  isLogged(schema)
    ? [...tables.values()].filter(table => table.kind === 'table' && !table.logged).map(table => table.name)
    : []
