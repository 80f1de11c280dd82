// Tables of counters that only ever rise, and what is known about them: a read that began after a commit was acknowledged must not
// see less than was committed.
import assert from 'node:assert/strict'
import type { Database } from '../../src/db/database.ts'
import { rawSql } from '../../src/db/sql.ts'
import { masjidId } from '../graphql/fixture.ts'
import { type Moves, moverStatements, noMoves, townReadings } from './movers.ts'
import { createSpeakers, SPEAKERS, spokenReadings } from './spoken.ts'

const COUNTERS = 24

/** Where the counters are. */
export const masjids: readonly string[] = [1, 2, 3].map(masjidId)

const mine = `masjid_id = any ((select writing_masjids('events'))::uuid[])
  or masjid_id between (select writing_all()) and 'ffffffff-ffff-ffff-ffff-ffffffffffff'`

/** The last one is moved from one to another. */
const MASJIDS = 3
export const MOVED = COUNTERS
const placeOf = (id: number): number => id % MASJIDS

const statements = (masjids: readonly string[]): string[] => [
  `create table public.up_counters (
     id integer primary key, masjid_id uuid not null references up_masjids, value integer not null default 0)`,
  `comment on table up_counters is E'@scope masjid:read\\n@writable\\nCounters.'`,
  'alter table up_counters enable row level security',
  'create policy everyone_reads on up_counters for select using (true)',
  `create policy own_update on up_counters for update using (${mine})`,
  `create table public.up_counter_notes (
     id integer primary key, counter_id integer not null references up_counters, value integer not null default 0,
     rewritten integer not null default 0)`,
  `comment on constraint up_counter_notes_counter_id_fkey on up_counter_notes is '@array notes'`,
  `comment on table up_counter_notes is E'@scope masjid:read\\nNotes.'`,
  `create view public.up_counter_sums as
     select counter.id, counter.value, note.value as noted
     from up_counters counter join up_counter_notes note on note.counter_id = counter.id`,
  `comment on view up_counter_sums is E'@scope masjid:read\\n@key id\\nCounters beside their notes.'`,
  `insert into up_counters (id, masjid_id)
     select id, ('{${masjids.join()}}'::uuid[])[1 + id % ${MASJIDS}] from generate_series(1, ${COUNTERS}) id`,
  `insert into up_counter_notes (id, counter_id) select id, id from generate_series(1, ${COUNTERS}) id`,
]

/** At three masjids; others begin to move or to speak. */
export const createCounters = async (database: Database): Promise<void> => {
  for (const statement of [...statements(masjids), ...moverStatements]) await database.run(rawSql(statement))
  await createSpeakers(database)
}

/** What was committed and acknowledged, by counter. */
export interface Floors extends Moves {
  readonly counters: number[]
  readonly notes: number[]
  /** By speaker. */
  readonly spoken: number[]
  /** How often the table of notes was rewritten. */
  rewritten: number
}

export const noFloors = (): Floors => ({
  ...noMoves(),
  counters: Array<number>(COUNTERS + 1).fill(0),
  notes: Array<number>(COUNTERS + 1).fill(0),
  spoken: Array<number>(SPEAKERS).fill(0),
  rewritten: 0,
})

export const copyOf = (floors: Floors): Floors => structuredClone(floors)

/** One of the ways to read counters, and how its answer is compared with what had been acknowledged before it was asked. */
export interface Reading {
  readonly query: string
  readonly variables?: Readonly<Record<string, unknown>>
  /** `now` is what had been begun when the answer was there. */
  // biome-ignore lint/suspicious/noExplicitAny: a response has the shape of its query
  check(data: any, floors: Floors, now: Floors): void
}

const atLeast = (value: number | undefined, floor: number | undefined, what: string): void =>
  assert.ok(value !== undefined && floor !== undefined && value >= floor, `stale: ${what} is ${value}, was ${floor}`)

const one = (id: number): Reading => ({
  query: 'query One($id: Int!) { up_counters_by_pk(id: $id) { value notes { value rewritten } } }',
  variables: { id },
  check: ({ up_counters_by_pk: counter }, { counters, notes, rewritten }) => {
    atLeast(counter.value, counters[id], `counter ${id}`)
    atLeast(counter.notes[0]?.value, notes[id], `note ${id}`)
    atLeast(counter.notes[0]?.rewritten, rewritten, `the rewriting of note ${id}`)
  },
})

const list: Reading = {
  query:
    '{ up_counters(order_by: {id: asc}) { id value } up_counter_notes(order_by: {id: asc}) { id value rewritten } }',
  check: (data, { counters, notes, rewritten: times }) => {
    assert.equal(data.up_counters.length, COUNTERS)
    for (const { id, value } of data.up_counters) atLeast(value, counters[id], `counter ${id} of all`)
    for (const { id, value, rewritten } of data.up_counter_notes) {
      atLeast(value, notes[id], `note ${id} of all`)
      atLeast(rewritten, times, `the rewriting of note ${id} of all`)
    }
  },
}

const view: Reading = {
  query: '{ up_counter_sums(order_by: {id: asc}) { id value noted } }',
  check: ({ up_counter_sums: rows }, { counters, notes }) => {
    assert.equal(rows.length, COUNTERS)
    for (const { id, value, noted } of rows) {
      atLeast(value, counters[id], `counter ${id} in the view`)
      atLeast(noted, notes[id], `note ${id} in the view`)
    }
  },
}

/** What is read of one masjid stays true when counters of others rise. */
const ofMasjid = (place: number): Reading => {
  const ids = Array.from({ length: COUNTERS }, (_, index) => index + 1).filter(
    id => id !== MOVED && placeOf(id) === place,
  )
  return {
    query: `query Of($masjid: uuid!) {
      up_counters(where: {masjid_id: {_eq: $masjid}}) { id value }
      up_counters_aggregate(where: {masjid_id: {_eq: $masjid}}) { aggregate { sum { value } } }
    }`,
    variables: { masjid: masjids[place] },
    check: ({ up_counters: rows, up_counters_aggregate: { aggregate } }, { counters }) => {
      const values = new Map<number, number>(rows.map((row: { id: number; value: number }) => [row.id, row.value]))
      for (const id of ids) atLeast(values.get(id), counters[id], `counter ${id} of masjid ${place}`)
      if (values.has(MOVED)) atLeast(values.get(MOVED), counters[MOVED], `counter ${MOVED} at masjid ${place}`)
      const least = ids.reduce((sum, id) => sum + (counters[id] ?? 0), 0)
      atLeast(aggregate.sum.value, least, `the sum of masjid ${place}`)
    },
  }
}

export const readings: readonly Reading[] = [
  ...masjids.map((_, place) => ofMasjid(place)),
  ...Array.from({ length: COUNTERS }, (_, index) => one(index + 1)),
  ...townReadings,
  ...townReadings,
  ...spokenReadings,
  list,
  list,
  view,
]
