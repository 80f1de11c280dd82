// As many subscriptions as an attacker can open: what they cost in memory and time, and whether others hear of their changes meanwhile.
// A long run opens 10,000; usually it is a few hundred.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { rawSql } from '../../../src/db/sql.ts'
import { fixtureTemplate } from '../../graphql/fixture.ts'
import { type Followed, follow } from '../../live/events.ts'
import { openSocket, type RawSocket } from '../../live/raw-socket.ts'
import { makeApp, makeKey } from '../../support/apps.ts'
import { useMinaret } from '../../support/minaret.ts'
import { within } from '../../support/oauth.ts'

setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')

const MANY = process.env.MINARET_LONG === undefined ? 200 : 10_000
const SOCKETS = 10
const EACH = MANY / SOCKETS
/** What one may cost at both ends of its connection, which are in this process; and what caches may grow by, whose bounds are others. */
const MOST_BYTES = MANY * 32 * 1024 + 16 * 1024 * 1024
const PATIENCE_MS = 60_000
/** Each document is read and planned once: some milliseconds of a processor. */
const OPENING_MS = PATIENCE_MS + MANY * 60
const limits = { SUBSCRIPTIONS_PER_APP: String(MANY), SUBSCRIPTIONS_PER_ADDRESS: String(MANY * 2) }
const minaret = useMinaret(limits, async () => undefined, { template: fixtureTemplate })

const url = (): string => `${minaret().baseUrl}/v1/graphql`
const run = (text: string): Promise<unknown> => minaret().service.database.run(rawSql(text))
const newKey = async (): Promise<string> => {
  const { database } = minaret().service
  const scopes = ['masjid:read', 'events:read'] as const
  return (await makeKey(database, { appId: (await makeApp(database, { scopes })).id, scopes })).key
}

const used = (): number => {
  for (let turn = 0; turn < 3; turn += 1) collectGarbage()
  const { heapUsed, external, arrayBuffers } = process.memoryUsage()
  return heapUsed + external + arrayBuffers
}

type Asked = (index: number) => { readonly query: string; readonly variables?: object }

/** Over several sockets, until each has its first result or an error. */
const openMany = async (asked: Asked, key: string): Promise<readonly RawSocket[]> => {
  const sockets = await Promise.all(
    Array.from({ length: SOCKETS }, () =>
      openSocket(url().replace('http', 'ws'), [
        { type: 'connection_init', payload: { Authorization: `Bearer ${key}` } },
      ]),
    ),
  )
  for (const [number, { messages, send }] of sockets.entries()) {
    await within(PATIENCE_MS, 'the acknowledgement', () => messages.length > 0)
    for (let index = 0; index < EACH; index += 1)
      send({ id: `${index}`, type: 'subscribe', payload: asked(number * EACH + index) })
  }
  await within(OPENING_MS, 'all are answered', () => sockets.every(({ messages }) => messages.length > EACH))
  return sockets
}

const closeAll = async (sockets: readonly RawSocket[]): Promise<void> => {
  for (const { socket } of sockets) socket.terminate()
  await Promise.all(sockets.map(({ closed }) => closed))
}

const OTHER = 'subscription { up_masjids_by_slug(slug: "masjid-2") { capacity } }'
let capacity = 5000
const changeOf = async (other: Followed): Promise<void> => {
  capacity += 1
  const wanted = capacity
  await run(`update up_masjids set capacity = ${wanted} where slug in ('masjid-1', 'masjid-2')`)
  await other.untilSo('the change', ({ data }) => data?.up_masjids_by_slug.capacity === wanted)
}

/** What an attacker opens. None may cost much, nor hold up somebody else's. */
const attacks: Readonly<Record<string, Asked>> = {
  'of the same list': () => ({ query: 'subscription { up_masjids(order_by: {slug: asc}) { slug capacity } }' }),
  'of values of their own': n => ({
    query:
      'subscription ($n: Int!) { up_masjids(where: {capacity: {_gt: $n}}, limit: 1, order_by: {slug: asc}) { slug capacity } }',
    variables: { n },
  }),
  'of documents of their own': n => ({
    query: `subscription { m${n}: up_masjids_by_slug(slug: "masjid-1") { capacity } }`,
  }),
  'of filters of their own in the document': n => ({
    query: `subscription { up_masjids(where: {capacity: {_neq: ${n}}}, limit: 1) { capacity } }`,
  }),
  'of totals': n => ({
    query: 'subscription ($n: Int!) { up_masjids_aggregate(where: {capacity: {_gt: $n}}) { aggregate { count } } }',
    variables: { n },
  }),
  'of streams': n => ({
    query: `subscription ($c: timestamptz!) { up_events_stream(batch_size: 1, cursor: {initial_value: {created_at: $c}}) { id } }`,
    variables: { c: new Date(2_000_000_000_000 + n).toISOString() },
  }),
  'of what follows the clock': n => ({
    query:
      'subscription ($n: Int!) { up_masjids(where: {capacity: {_gt: $n}, created_at: {_lt: "now"}}, limit: 1) { capacity } }',
    variables: { n },
  }),
  'that are refused': n => ({ query: `subscription { ua_members(limit: ${1 + (n % 50)}) { id } }` }),
  'of fields that do not exist': n => ({ query: `subscription { up_masjids { nothing${n} } }` }),
  'through many relationships': n => ({
    query: `subscription ($n: Int!) {
        up_events(where: {duration_minutes: {_gt: $n}}, limit: 1) { masjid { entity { masjids(limit: 1) { capacity } } } }
      }`,
    variables: { n },
  }),
}

const silent = new Set(['of streams'])
const refused = new Set(['that are refused', 'of fields that do not exist'])
for (const [what, asked] of Object.entries(attacks))
  test(`many subscriptions ${what} cost little each, and others hear of their changes`, async () => {
    const other = await follow({ url: url(), key: await newKey(), query: OTHER })
    await other.until(1)
    const before = used()
    const key = await newKey()
    const opening = silent.has(what) ? openSilently(asked, key) : openMany(asked, key)
    await changeOf(other)
    const sockets = await opening
    await changeOf(other)
    const bytes = used() - before
    assert.ok(bytes < MOST_BYTES, `${Math.round(bytes / 1024 / MANY)} KB for each`)
    const more = await follow({ url: url(), key, query: OTHER })
    assert.equal(more.status, refused.has(what) ? 200 : 429)
    await more.close()
    await closeAll(sockets)
    const places = await newKey()
    const again = await follow({ url: url(), key: places, query: OTHER })
    await again.until(1)
    await Promise.all([again.close(), other.close()])
  })

/** Those that have nothing to tell yet. */
async function openSilently(asked: Asked, key: string): Promise<readonly RawSocket[]> {
  const socket = await openSocket(url().replace('http', 'ws'), [
    { type: 'connection_init', payload: { Authorization: `Bearer ${key}` } },
  ])
  await within(PATIENCE_MS, 'the acknowledgement', () => socket.messages.length > 0)
  for (let index = 0; index < MANY; index += 1)
    socket.send({ id: `${index}`, type: 'subscribe', payload: asked(index) })
  socket.send({ id: 'last', type: 'subscribe', payload: { query: OTHER } })
  await within(OPENING_MS, 'all are open', () => socket.messages.some(({ id }) => id === 'last'))
  return [socket]
}
