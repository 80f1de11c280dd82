// Logs that grow with time are partitioned by month: the coming months are opened ahead of time, and past ones are dropped.
import { advisoryLocks } from '../db/advisory-locks.ts'
import { dataSchemas } from '../db/data-schema.ts'
import type { Database, Queryable } from '../db/database.ts'
import { givingWay, orLater } from '../db/giving-way.ts'
import { identifier, type Sql, sql } from '../db/sql.ts'

/** In days. */
export interface Retention {
  readonly auditLog: number
  readonly readLog: number
  /** 0: for good. */
  readonly writtenRows: number
}

/** Months that were dropped, and the number of entries that were deleted one by one. */
export interface Forgotten {
  readonly months: string[]
  readonly entries: number
}

const BATCH = 1000
const nothing: Forgotten = { months: [], entries: 0 }

const days = (count: number): Sql => sql`make_interval(days => ${count}::int)`

/** Undefined if another process is doing the same. */
const alone = <T>(database: Database, work: (transaction: Queryable) => Promise<T>): Promise<T | undefined> =>
  database.transaction(async transaction => {
    const lock = await transaction.first<{ mine: boolean }>(
      sql`select pg_try_advisory_xact_lock(${advisoryLocks.monthsOfLogs}) as mine`,
    )
    return lock?.mine === true ? work(transaction) : undefined
  })

/** What others use at the moment is left for the next hour. */
const changeMonths = <T>(database: Database, work: (transaction: Queryable) => Promise<T>): Promise<T | undefined> =>
  orLater(alone(givingWay(database), work))

const dropMonths = async (queryable: Queryable, log: string, keep: number): Promise<string[]> => {
  const row = await queryable.first<{ dropped: string[] }>(
    sql`select minaret.drop_months(${log}::regclass, ${days(keep)}) as dropped`,
  )
  return row?.dropped ?? []
}

/** Entries of before there were months, and of months that nobody opened in time. */
const forgetEntries = async (database: Database, log: string): Promise<number> => {
  for (let removed = 0; ; ) {
    const row = await alone(database, transaction =>
      transaction.first<{ count: number }>(sql`select minaret.forget_entries(${log}, ${BATCH}) as count`),
    )
    removed += row?.count ?? 0
    if (row === undefined || row.count < BATCH) return removed
  }
}

const keepLog = async (database: Database, log: string, keep: number): Promise<Forgotten> => {
  const months = await changeMonths(database, async transaction => {
    await transaction.run(
      sql`update minaret.log_retention set keep = ${days(keep)} where log = ${log} and keep <> ${days(keep)}`,
    )
    await transaction.run(sql`select minaret.open_months(${log})`)
    return dropMonths(transaction, `minaret.${log}`, keep)
  })
  return months === undefined ? nothing : { months, entries: await forgetEntries(database, log) }
}

const keepWrittenRows = async (database: Database, schema: string, keep: number): Promise<Forgotten> => {
  const months = await changeMonths(database, async transaction => {
    await transaction.run(sql`select ${identifier(schema, 'open_months_of_writing')}()`)
    return keep === 0 ? [] : dropMonths(transaction, `${schema}.written_rows`, keep)
  })
  return { months: months ?? [], entries: 0 }
}

/** At the start and then every hour. Each log in a transaction of its own, so that locks are held for a moment only. */
export const keepLogs = async (database: Database, retention: Retention): Promise<Forgotten> => {
  const forgotten = [
    await keepLog(database, 'audit_log', retention.auditLog),
    await keepLog(database, 'read_log', retention.readLog),
  ]
  for (const schema of dataSchemas) forgotten.push(await keepWrittenRows(database, schema, retention.writtenRows))
  return {
    months: forgotten.flatMap(({ months }) => months),
    entries: forgotten.reduce((sum, { entries }) => sum + entries, 0),
  }
}
