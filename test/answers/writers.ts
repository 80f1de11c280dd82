// Everybody who raises counters, each in another way. A floor is raised only after the commit was acknowledged.
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import type { Connection } from '../../src/db/connection.ts'
import type { GraphqlClient } from '../support/graphql.ts'
import { type Floors, MOVED, masjids } from './counters.ts'
import { move, moveEvent, movers } from './movers.ts'
import { SPEAKERS, say, unsettle } from './spoken.ts'

export interface Writing {
  readonly connection: Connection
  readonly client: GraphqlClient
  readonly floors: Floors
  readonly isOver: () => boolean
}

type Write = (client: pg.Client, floors: Floors) => Promise<void>

const raise = (id: number, by = 1): string => `update up_counters set value = value + ${by} where id = ${id}`
const raiseNote = (id: number, by = 1): string => `update up_counter_notes set value = value + ${by} where id = ${id}`
const soon = (): Promise<void> => delay(Math.random() * 12)

const acknowledge = (list: number[], id: number, by = 1): void => {
  list[id] = (list[id] ?? 0) + by
}

const atOnce: Write = async (client, { counters }) => {
  await client.query(raise(1))
  acknowledge(counters, 1)
}

const slowly: Write = async (client, { counters, notes }) => {
  await client.query('begin')
  await client.query(raise(2))
  await soon()
  await client.query(raiseNote(2))
  await client.query('commit')
  acknowledge(counters, 2)
  acknowledge(notes, 2)
}

const rolledBack: Write = async client => {
  await client.query('begin')
  await client.query('update up_counters set value = -1 where id in (3, 4)')
  await soon()
  await client.query('rollback')
}

const withSavepoints: Write = async (client, { counters }) => {
  await client.query('begin')
  await client.query('savepoint first')
  await client.query(raise(5))
  await client.query('savepoint second')
  await client.query('update up_counters set value = -1 where id = 5')
  await client.query('rollback to second')
  await client.query('savepoint third')
  await client.query(raise(5))
  await client.query('release third')
  await client.query('commit')
  acknowledge(counters, 5, 2)
}

const deletedAndInserted: Write = async (client, { notes }) => {
  await client.query('begin')
  await client.query('create temporary table old_note on commit drop as select * from up_counter_notes where id = 6')
  await client.query('delete from up_counter_notes where id = 6')
  await client.query('insert into up_counter_notes select id, counter_id, value + 1, rewritten from old_note')
  await client.query('commit')
  acknowledge(notes, 6)
}

const upserted: Write = async (client, { notes }) => {
  await client.query(`insert into up_counter_notes values (7, 7, 0)
    on conflict (id) do update set value = up_counter_notes.value + 1`)
  acknowledge(notes, 7)
}

const inBulk: Write = async (client, { counters }) => {
  await client.query('update up_counters set value = value + 1 where id > 12')
  for (const id of counters.keys()) if (id > 12) acknowledge(counters, id)
}

/** Both its old and its new masjid have changed. */
const moved: Write = async (client, { counters }) => {
  const to = masjids[Math.floor(Math.random() * masjids.length)]
  await client.query(`update up_counters set value = value + 1, masjid_id = '${to}' where id = ${MOVED}`)
  acknowledge(counters, MOVED)
}

const anyMover = (): number => Math.floor(Math.random() * movers.length)

/** From one town to the other. */
const toTheOtherTown: Write = async (client, { moves, begun }) => {
  const mover = anyMover()
  acknowledge(begun, mover)
  await client.query(move(mover))
  acknowledge(moves, mover)
}

const eventMoved: Write = async (client, { moved }) => {
  const mover = anyMover()
  await client.query(moveEvent(mover, (moved[mover] ?? 0) + 1))
  acknowledge(moved, mover)
}

const anySpeaker = (): number => Math.floor(Math.random() * SPEAKERS)

const spoken: Write = async (client, { spoken: floor }) => {
  const speaker = anySpeaker()
  await client.query(say(speaker))
  acknowledge(floor, speaker)
}

/** Its rows are left to the job. */
const spokenAlone: Write = async (client, { spoken: floor }) => {
  const speaker = anySpeaker()
  await client.query('begin isolation level repeatable read')
  try {
    await client.query(say(speaker))
    await client.query('commit')
    acknowledge(floor, speaker)
  } catch (error) {
    await client.query('rollback')
    if ((error as { code?: string }).code !== '40001') throw error
  }
}

const calculated: Write = async client => void (await client.query(unsettle(anySpeaker())))

const truncated: Write = async (client, { notes }) => {
  await client.query('begin')
  await client.query('lock table up_counter_notes in access exclusive mode')
  await client.query('create temporary table old_notes on commit drop as select * from up_counter_notes')
  await client.query('truncate up_counter_notes')
  await client.query('insert into up_counter_notes select id, counter_id, value + 1, rewritten from old_notes')
  await client.query('commit')
  for (const id of notes.keys()) acknowledge(notes, id)
}

const LOCK_NOT_AVAILABLE = '55P03'

/** Gives way: others would queue behind it, and one of them may be what the holder of the lock waits for. */
const alter = async (client: pg.Client, statement: string): Promise<void> => {
  await client.query(`set lock_timeout = '50ms'`)
  for (;;) {
    try {
      await client.query(statement)
      break
    } catch (error) {
      if ((error as { code?: string }).code !== LOCK_NOT_AVAILABLE) throw error
      await soon()
    }
  }
  await client.query('reset lock_timeout')
}

/** Changes that no trigger sees, between two changes of structure. */
const unlogged: Write = async (client, { counters }) => {
  await alter(client, 'alter table up_counters disable trigger changes_update')
  await client.query(raise(8))
  acknowledge(counters, 8)
  await soon()
  await client.query(raise(8))
  acknowledge(counters, 8)
  await alter(client, 'alter table up_counters enable always trigger changes_update')
}

/** Of a column that no view has: PostgreSQL refuses others. */
const restructured: Write = async (client, floors) => {
  await alter(client, 'alter table up_counter_notes alter column rewritten type integer using rewritten + 1')
  floors.rewritten += 1
}

const withClient = async (connection: Connection, work: (client: pg.Client) => Promise<void>): Promise<void> => {
  const client = new pg.Client(connection)
  client.on('error', () => undefined)
  await client.connect()
  try {
    await work(client)
  } finally {
    await client.end()
  }
}

/** Most of the time nobody writes, so that answers are kept and sent again. */
const burst = async (isOver: () => boolean): Promise<void> => {
  while (!isOver() && performance.now() % 500 > 150) await delay(10)
}

const repeat = ({ connection, floors, isOver }: Writing, write: Write, everyMs: number): Promise<void> =>
  withClient(connection, async client => {
    while (!isOver()) {
      await burst(isOver)
      await write(client, floors)
      await delay(everyMs * (0.5 + Math.random()))
    }
  })

/** The first to begin is the last to commit. */
const inAnotherOrder = ({ connection, floors, isOver }: Writing): Promise<void> =>
  withClient(connection, first =>
    withClient(connection, async second => {
      while (!isOver()) {
        await burst(isOver)
        await first.query('begin')
        await first.query(raise(10))
        await second.query('begin')
        await second.query(raise(11))
        await soon()
        await second.query('commit')
        acknowledge(floors.counters, 11)
        await soon()
        await first.query('commit')
        acknowledge(floors.counters, 10)
        await delay(10)
      }
    }),
  )

/** It has a transaction id from the start, and holds every horizon back until the end. */
const longRunning = ({ connection, floors, isOver }: Writing): Promise<void> =>
  withClient(connection, async client => {
    while (!isOver()) {
      await client.query('begin')
      await client.query(raise(12))
      for (let count = 0; count < 40 && !isOver(); count += 1) await delay(50)
      await client.query('commit')
      acknowledge(floors.counters, 12)
    }
  })

const byMutation = async ({ client, floors, isOver }: Writing): Promise<void> => {
  const query = 'mutation { update_up_counters_by_pk(pk_columns: {id: 9}, _inc: {value: 1}) { value } }'
  while (!isOver()) {
    await burst(isOver)
    const { body } = await client.query({ query })
    if (body.errors === undefined) acknowledge(floors.counters, 9)
    await delay(20)
  }
}

export const writeAll = (writing: Writing): Promise<unknown> =>
  Promise.all([
    repeat(writing, atOnce, 5),
    repeat(writing, slowly, 10),
    repeat(writing, rolledBack, 15),
    repeat(writing, withSavepoints, 20),
    repeat(writing, deletedAndInserted, 40),
    repeat(writing, upserted, 15),
    repeat(writing, inBulk, 120),
    repeat(writing, moved, 60),
    repeat(writing, truncated, 150),
    repeat(writing, toTheOtherTown, 40),
    repeat(writing, eventMoved, 60),
    repeat(writing, spoken, 50),
    repeat(writing, spokenAlone, 300),
    repeat(writing, calculated, 400),
    inAnotherOrder(writing),
    longRunning(writing),
    byMutation(writing),
  ])

/** Changes of structure, one writer for each: they would deadlock with each other. */
export const restructureAll = (writing: Writing): Promise<unknown> =>
  Promise.all([repeat(writing, unlogged, 1200), repeat(writing, restructured, 2000)])
