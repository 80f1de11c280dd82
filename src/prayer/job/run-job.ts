// One run of the job: everything due in both schemas, by one process at a time.

import { dayNumberAt } from '../../base/civil-date.ts'
import { advisoryLocks } from '../../db/advisory-locks.ts'
import { type DataSchema, dataSchemas } from '../../db/data-schema.ts'
import type { Database } from '../../db/database.ts'
import { identifier, sql } from '../../db/sql.ts'
import { countDueEvents } from '../../events/due-events.ts'
import { eventGoal, materialiseEvents } from '../../events/materialise-events.ts'
import { adoptTimes } from '../announced/keep-times.ts'
import { readEngineVersion } from '../calculation/engine-version.ts'
import { type FillOptions, fillTimes, learnTimes, removeOldTimes } from './fill-times.ts'
import { countStaleMasjids, nearestGoal, readGoal } from './stale-masjids.ts'

export interface Run extends Pick<FillOptions, 'restFor'> {
  readonly database: Database
  readonly now: Date
  readonly onProgress?: (progress: Progress) => void
  readonly onFault?: (what: string, error: unknown) => void
  /** How long events are worked on at a time, and of that until the first are stored. */
  readonly slice?: { readonly forMs: number; readonly expandingMs?: number }
}

export interface Progress {
  readonly schema: DataSchema
  readonly done: number
  readonly total: number
}

export interface RunOutcome {
  /** Another process held the lock. */
  readonly busy: boolean
  readonly masjids: number
  readonly events: number
}

/** Times must follow a change within seconds; thousands of occurrences are written in slices in between. */
const SLICE_MS = 1500
/** So many slices in which nothing could be stored: somebody changes their events all the time. The next run goes on. */
const MOST_IN_VAIN = 40
const MANY = 50
/** More than one chunk: then all of them get their nearest days first. */
const ONE_CHUNK = 12

export const runSchema = async (run: Run, schema: DataSchema): Promise<Omit<RunOutcome, 'busy'>> => {
  const { database, now, onProgress, onFault = () => undefined, slice = { forMs: SLICE_MS } } = run
  const goal = await readGoal(database, { schema, today: dayNumberAt(now), engine: readEngineVersion() })
  await removeOldTimes(database, goal)
  const pace = run.restFor === undefined ? {} : { restFor: run.restFor }
  const outcome = { masjids: 0, events: 0 }
  const turns = new Map<string, number>()
  const nearest = nearestGoal(goal)
  if ((await countStaleMasjids(database, nearest)) > ONE_CHUNK) await fillTimes({ database, goal: nearest, ...pace })
  let inVain = 0
  for (;;) {
    const masjids = await fillTimes({
      database,
      goal,
      ...pace,
      onProgress: (done, total) => onProgress?.({ schema, done, total }),
      onFault: (id, error) => onFault(`the times of masjid ${id}`, error),
    })
    outcome.masjids += masjids
    if (masjids > MANY) await learnTimes(database, goal)
    const { written, isCut } = await materialiseEvents({ database, schema, now, turns, onFault, ...slice, ...pace })
    outcome.events += written
    if (written > 0) continue
    inVain += 1
    // The turns that a masjid had are known in this run alone, also if it changed its events meanwhile.
    if (!isCut || inVain === MOST_IN_VAIN) return outcome
  }
}

/**
 * The lock belongs to a transaction that does nothing else: it ends with the connection, whatever happens, even behind
 * a connection pooler.
 */
export const runJob = (run: Run): Promise<RunOutcome> =>
  run.database.transaction(async lock => {
    const row = await lock.first<{ free: boolean }>(
      sql`select pg_try_advisory_xact_lock(${advisoryLocks.prayerJob}) as free`,
    )
    if (row?.free !== true) return { busy: true, masjids: 0, events: 0 }
    const outcome = { busy: false, masjids: 0, events: 0 }
    for (const schema of dataSchemas) {
      const { masjids, events } = await runSchema(run, schema)
      outcome.masjids += masjids
      outcome.events += events
    }
    return outcome
  })

/** Undefined if no row was inserted since the last time. PostgreSQL's own count moves some seconds after the insert. */
const rowsInserted = async (database: Database, schema: DataSchema, table: string): Promise<string | undefined> => {
  const row = await database.first<{ inserted: string | null; known: string | null }>(sql`
    select ${identifier(schema, 'inserted_rows')}(${`${schema}.${table}`}::regclass) as inserted,
      (select inserted from ${identifier(schema, 'adopted_rows')} where relation = ${table}) as known`)
  return row?.inserted !== null && row?.inserted === row?.known ? undefined : (row?.inserted ?? '')
}

interface Adoption {
  readonly table: string
  readonly states: string
  readonly key: string
}

const adoptions: readonly Adoption[] = [
  { table: 'up_masjids', states: 'calculation_states', key: 'masjid_id' },
  { table: 'up_events', states: 'occurrence_states', key: 'event_id' },
]

/** The count is read first: what is inserted meanwhile is looked for the next time. */
const adopt = async (database: Database, schema: DataSchema, { table, states, key }: Adoption): Promise<void> => {
  const inserted = await rowsInserted(database, schema, table)
  if (inserted === undefined) return
  await database.run(sql`
    insert into ${identifier(schema, states)} (${identifier(key)})
    select id from ${identifier(schema, table)} row
    where not exists (select from ${identifier(schema, states)} where ${identifier(key)} = row.id)
    on conflict do nothing`)
  await database.run(sql`
    insert into ${identifier(schema, 'adopted_rows')} values (${table}, ${inserted})
    on conflict (relation) do update set inserted = excluded.inserted`)
}

/** Rows inserted with triggers disabled, as by some restores and copies, have no state yet: create it. */
export const adoptStrays = async (database: Database): Promise<void> => {
  for (const schema of dataSchemas) {
    for (const adoption of adoptions) await adopt(database, schema, adoption)
    await adoptTimes(database, schema)
  }
}

/** Whether a run would get the lock: asking is cheaper than starting a thread in vain. */
export const isJobFree = async (database: Database): Promise<boolean> => {
  // Acquired and released by the statement, which is its own transaction.
  const row = await database.first<{ free: boolean }>(
    sql`select pg_try_advisory_xact_lock(${advisoryLocks.prayerJob}) as free`,
  )
  return row?.free === true
}

/** How much work a run would find in both schemas. */
export interface WorkDue {
  readonly masjids: number
  /** Events whose occurrences are due; counting stops after a few dozen. */
  readonly events: number
}

export const findWorkDue = async (database: Database, now: Date): Promise<WorkDue> => {
  const due = { masjids: 0, events: 0 }
  for (const schema of dataSchemas) {
    const goal = await readGoal(database, { schema, today: dayNumberAt(now), engine: readEngineVersion() })
    due.masjids += await countStaleMasjids(database, goal)
    due.events += await countDueEvents(database, eventGoal(schema, now), MANY)
  }
  return due
}

export const isWorkDue = async (database: Database, now: Date): Promise<boolean> => {
  const { masjids, events } = await findWorkDue(database, now)
  return masjids + events > 0
}
