// Writers and readers side by side → how much was read, if nothing was stale: every read that begins after a commit was acknowledged sees it.
import assert from 'node:assert/strict'
import type { Database } from '../../src/db/database.ts'
import { rawSql } from '../../src/db/sql.ts'
import { type GraphqlClient, openClient } from '../support/graphql.ts'
import { within } from '../support/oauth.ts'
import { copyOf, type Floors, noFloors, type Reading, readings } from './counters.ts'
import { eventsMoved, movesMade } from './movers.ts'
import { said } from './spoken.ts'
import { type Writing, writeAll } from './writers.ts'

/** What is read, and how. */
export interface Proof {
  readonly key: string
  /** Of all processes; mutations go to the first. */
  readonly baseUrls: readonly string[]
  /** The primary. */
  readonly database: Database
  /** Stops when this many were read. */
  readonly reads: number
  /** Before each read: what it must not be behind, given what was acknowledged; by default just that. */
  readonly expecting?: (floors: Floors) => Promise<Expected>
  /** Changed beside the writers; then it does not matter whether something is answered from memory. */
  readonly disturb?: (writing: Writing) => Promise<unknown>
}

export interface Expected {
  readonly floors: Floors
  readonly headers: Readonly<Record<string, string>>
}

export interface Counted {
  readonly since: number
  reads: number
  /** Of those that asked for it. */
  hits: number
}

/** The suite stops after a few seconds, however busy the machine is. */
const SECONDS = 5
const isLong = process.env.MINARET_LONG !== undefined
/** A million reads take half an hour on two slow cores. With disturbances, a long run has two minutes. */
const LONG_SECONDS = 3000
export const PROOF_TIMEOUT_MS = 2 * LONG_SECONDS * 1000
const mostSeconds = ({ disturb }: Proof): number => {
  if (!isLong) return 300
  return disturb === undefined ? LONG_SECONDS : 120
}
const LEAST_READS = 200
/** Enough that a long run has somebody asking at any moment. */
const READERS = isLong ? 24 : 6
export const EXPLAINED_SHARE = 0.1

const isEnough = (proof: Proof, { reads, hits, since }: Counted): boolean => {
  const { reads: wanted, disturb } = proof
  const seconds = (performance.now() - since) / 1000
  if (reads >= wanted || seconds > mostSeconds(proof)) return true
  return !isLong && reads >= LEAST_READS && seconds > SECONDS && (hits > 0 || disturb !== undefined)
}

const asAcknowledged = async (floors: Floors): Promise<Expected> => ({ floors: copyOf(floors), headers: {} })

const readOnce = async (client: GraphqlClient, { expecting = asAcknowledged }: Proof, floors: Floors) => {
  const reading = readings[Math.floor(Math.random() * readings.length)] as Reading
  const expected = await expecting(floors)
  const explain = Math.random() < EXPLAINED_SHARE ? { 'x-minaret-explain': '1' } : {}
  const asked = { query: reading.query, variables: reading.variables ?? {} }
  const { status, body } = await client.query(asked, { ...expected.headers, ...explain })
  if (status === 503) return undefined
  assert.equal(status, 200, JSON.stringify(body))
  reading.check(body.data, expected.floors, floors)
  return { hit: body.extensions?.cache?.hit === true }
}

const readAlong = async (proof: Proof, baseUrl: string, floors: Floors, counted: Counted): Promise<void> => {
  const client = openClient({ baseUrl }, proof.key, { retryStale: true })
  try {
    while (!isEnough(proof, counted)) {
      const read = await readOnce(client, proof, floors)
      if (read === undefined) continue
      counted.reads += 1
      if (read.hit) counted.hits += 1
    }
  } finally {
    client.close()
  }
}

interface Row {
  readonly id: number
  readonly value: number
}

export const floorsOf = async (query: (text: string) => Promise<readonly Row[]>): Promise<Floors> => {
  const floors = noFloors()
  for (const { id, value } of await query('select id, value from public.up_counters')) floors.counters[id] = value
  for (const { id, value } of await query('select id, value from public.up_counter_notes')) floors.notes[id] = value
  const [note] = await query('select id, rewritten as value from public.up_counter_notes where id = 1')
  floors.rewritten = note?.value ?? 0
  for (const { id, value } of await query(movesMade)) floors.moves[id] = floors.begun[id] = value
  for (const { id, value } of await query(eventsMoved)) floors.moved[id] = value
  for (const { id, value } of await query(said)) floors.spoken[id] = value
  return floors
}

export const prove = async (proof: Proof): Promise<Counted> => {
  const { database, baseUrls, key, disturb } = proof
  const [first = ''] = baseUrls
  const client = openClient({ baseUrl: first }, key, { retryStale: true })
  const floors = await floorsOf(text => database.query<Row>(rawSql(text)))
  const counted: Counted = { since: performance.now(), reads: 0, hits: 0 }
  let failed = false
  const isOver = (): boolean => failed || isEnough(proof, counted)
  const writing: Writing = { connection: database.connection, client, floors, isOver }
  const readers = Array.from({ length: READERS }, (_, index) =>
    readAlong(proof, baseUrls[index % baseUrls.length] ?? first, floors, counted),
  )
  const reading = Promise.all(readers).catch(error => {
    failed = true
    throw error
  })
  const ends = await Promise.allSettled([reading, writeAll(writing), disturb?.(writing)])
  client.close()
  for (const end of ends) if (end.status === 'rejected') throw end.reason
  assert.ok(counted.reads >= Math.min(LEAST_READS, proof.reads), `only ${counted.reads} reads`)
  return counted
}

/** A process answers from memory, so that there is something to prove. */
export const untilAnsweredFromMemory = async (baseUrl: string, key: string): Promise<void> => {
  const client = openClient({ baseUrl }, key)
  const { query, variables = {} } = readings.at(-1) as Reading
  await within(300_000, 'answers are kept', async () => {
    await client.query({ query, variables })
    const { body } = await client.query({ query, variables }, { 'x-minaret-explain': '1' })
    return body.extensions?.cache?.hit === true
  })
  client.close()
}
