// A database whose change log is watched: tables are logged, and `logged` returns what one transaction left in the log.
import type { Database, Queryable } from '../../src/db/database.ts'
import { rawSql, sql } from '../../src/db/sql.ts'
import { useDatabase } from '../support/open-database.ts'

export interface LoggedRow {
  readonly table_name: string
  readonly masjid_id: string | null
  readonly key: Readonly<Record<string, unknown>> | null
  readonly kind: string
}

export const masjid = (number: number): string => `32000000-0000-4000-8000-${String(number).padStart(12, '0')}`

/** The rows that this transaction has logged. */
export const rowsOf = (queryable: Queryable): Promise<LoggedRow[]> =>
  queryable.query<LoggedRow>(sql`
    select table_name, masjid_id, key, kind from changes.log where xid = pg_current_xact_id() order by id`)

export const useLog = (tables: string, watched: readonly string[] = []) => {
  const database = useDatabase(async owner => {
    await owner.run(rawSql(`set search_path = public, extensions; ${tables}`))
    for (const table of watched) await owner.run(sql`select changes.watch(${`public.${table}`}::regclass)`)
  })
  const run = (text: string) => database().run(rawSql(text))
  return {
    database: (): Database => database(),
    run,
    isLogged: async (table: string): Promise<boolean | undefined> =>
      (await database().first<{ logged: boolean }>(sql`select changes.is_logged(${table}::regclass) as logged`))
        ?.logged,
    /** Runs statements in one transaction, and returns what they logged. */
    logged: (...statements: readonly string[]): Promise<LoggedRow[]> =>
      database().transaction(async transaction => {
        for (const statement of statements) await transaction.run(rawSql(statement))
        return rowsOf(transaction)
      }),
  }
}
