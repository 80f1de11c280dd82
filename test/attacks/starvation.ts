// Measures how long small requests take while someone else sends slow ones, eight at a time.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { pino } from 'pino'
import type { Logger } from '../../src/base/log.ts'
import type { Database } from '../../src/db/database.ts'
import { rawSql } from '../../src/db/sql.ts'
import { rounds } from '../support/rounds.ts'
import { startWatch } from '../support/waited.ts'
import type { AttackerData } from './attacker.ts'
import { fresh, type SlowRequestsName } from './slow-requests.ts'

export interface Side {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** The log of its service, shown when a request fails. */
  readonly said?: readonly string[]
}

/** A log that is kept: an error response does not tell its cause. */
export const keepLog = (): { readonly log: Logger; readonly said: readonly string[] } => {
  const said: string[] = []
  return { said, log: pino({ level: 'warn' }, { write: line => void said.push(line) }) }
}

/** How long small requests take is compared; however long that is, they are to be answered. */
export const patientLimits = { REQUEST_DEADLINE_MS: '120000' }

export interface Sides {
  readonly attacker: Side
  /** How many addresses the attacker sends from; one by default. */
  readonly addresses?: number
  readonly victim: Side
  /** The same as the victim, but of a service that is not attacked, on the same machine and database. */
  readonly control: Side
}

const VICTIMS = 2
const QUIET_MS = rounds(300, 1000)
const ATTACK_MS = rounds(1200, 4000)
/** The fewest responses that give a meaningful p95. */
const LEAST_ANSWERS = 60
/** The others' p95 stays below this, or below three times its value without the attack. */
const BAR_MS = 100
const ROWS = 300_000

/** A table that is large enough for slow queries. */
export const addLargeTable = async (database: Database, schema: 'public' | 'sandbox'): Promise<void> => {
  const statements = [
    `create table ${schema}.up_numbers (id integer primary key, name text not null)`,
    `insert into ${schema}.up_numbers select n, md5(n::text) from generate_series(1, ${ROWS}) n`,
    `comment on table ${schema}.up_numbers is E'@scope masjid:read\\nA table of many rows.'`,
    `analyze ${schema}.up_numbers`,
  ]
  for (const statement of statements) await database.run(rawSql(statement))
}

const send = async ({ url, headers }: Side, body: object): Promise<string> => {
  const all = { 'content-type': 'application/json', ...headers }
  const response = await fetch(url, { method: 'POST', headers: all, body: JSON.stringify(body) })
  return `${response.status} ${await response.text()}`
}

export const untilExposed = async (side: Side): Promise<void> => {
  const deadline = Date.now() + 180_000
  while (!(await send(side, { query: '{ up_numbers_by_pk(id: 1) { id } }' })).startsWith('200 {"data":'))
    assert.ok(Date.now() < deadline, 'the table did not show up')
}

const percentile = (times: readonly number[], share: number): number => {
  const sorted = times.toSorted((one, other) => one - other)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.POSITIVE_INFINITY
}

const KNOWN = 'query ($id: Int!) { up_numbers_by_pk(id: $id) { id name } }'

/** Mostly a known query; every fifth is new to the service. */
const smallQuestion = (number: number): object =>
  number % 5 === 0
    ? { query: `{ ${fresh()}: up_numbers(where: {id: {_eq: ${number}}}) { name } }` }
    : { query: KNOWN, variables: { id: 1 + Math.floor(Math.random() * ROWS) } }

/** Starts counting milliseconds; the result says how many there were. */
type Watch = () => () => number

const byTheClock: Watch = () => {
  const started = performance.now()
  return () => performance.now() - started
}

/** Repeats a request, one at a time, for a while → the duration of each. */
const timesOf = async (
  ask: (number: number) => Promise<unknown>,
  milliseconds: number,
  watch: Watch,
): Promise<number[]> => {
  const until = performance.now() + milliseconds
  const times: number[] = []
  for (let number = 1; performance.now() < until || number * VICTIMS < LEAST_ANSWERS; number += 1) {
    const elapsed = watch()
    await ask(number)
    times.push(elapsed())
    await delay(2)
  }
  return times
}

const askSmall = async (side: Side, milliseconds: number, watch: Watch): Promise<number[]> => {
  const ask = async (number: number): Promise<void> => {
    const told = await send(side, smallQuestion(number))
    assert.ok(told.startsWith('200 {"data":'), `${told.slice(0, 300)}\n${side.said?.slice(-10).join('')}`)
  }
  return (await Promise.all(Array.from({ length: VICTIMS }, () => timesOf(ask, milliseconds, watch)))).flat()
}

interface Starvation {
  /** Milliseconds: under attack, before it, and during it at a service that is not attacked. */
  readonly p95: number
  readonly quiet: number
  readonly beside: number
  readonly longest: number
  readonly answered: number
  /** Statuses that the attacker saw; 0 where it left. */
  readonly seen: Readonly<Record<number, number>>
}

/** @public The benchmark measures with it too. @throws when a small request is not answered. */
export const measureStarvation = async (
  { attacker, victim, control, addresses = 1 }: Sides,
  name: SlowRequestsName,
  milliseconds: number,
  watch: Watch = byTheClock,
): Promise<Starvation> => {
  const quiet = percentile(await askSmall(victim, QUIET_MS, watch), 0.95)
  const { url, headers } = attacker
  const workerData: AttackerData = { url, headers, addresses, name }
  const thread = new Worker(new URL('./attacker.ts', import.meta.url), { workerData })
  await once(thread, 'online')
  const [times, controlTimes] = await Promise.all([
    askSmall(victim, milliseconds, watch),
    askSmall(control, milliseconds, watch),
  ])
  thread.postMessage('stop')
  const [seen] = await once(thread, 'message')
  const beside = percentile(controlTimes, 0.95)
  return { p95: percentile(times, 0.95), quiet, beside, longest: Math.max(...times), answered: times.length, seen }
}

/** @public What p95 may be, by a figure to compare with. */
export const barFor = (milliseconds: number): number => Math.max(BAR_MS, 3 * milliseconds)

/**
 * Others all get responses, about as fast as without the attack. On a busy machine the comparison is with a service that
 * is not attacked, at the same moment: waiting for the CPU affects both equally. Time that the machine stood still counts for neither.
 */
export const assertNobodyStarves = async (sides: Sides, name: SlowRequestsName): Promise<void> => {
  const found = await measureStarvation(sides, name, ATTACK_MS, startWatch)
  if (process.env.TEST_LOG !== undefined) console.log(found)
  assert.ok(found.p95 < barFor(Math.max(found.quiet, found.beside)), JSON.stringify(found))
}
