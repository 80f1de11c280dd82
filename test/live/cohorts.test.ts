// What is read for subscriptions, and how often: on the engine itself, where it can be counted.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import { createAddressBudget } from '../../src/base/address-budget.ts'
import { createFairTurns } from '../../src/base/fair-turns.ts'
import { createLogger } from '../../src/base/log.ts'
import { noProxies } from '../../src/base/trusted-proxies.ts'
import { rawSql } from '../../src/db/sql.ts'
import { createEntrance, type Endpoint } from '../../src/graphql/entrance/entrance.ts'
import { createLive, type Live } from '../../src/graphql/live/live.ts'
import { prepareLive } from '../../src/graphql/live/live-operation.ts'
import { createPersistedQueries } from '../../src/graphql/persisted-queries.ts'
import { createOpenConnections } from '../../src/http/live/open-connections.ts'
import { createSockets } from '../../src/http/live/sockets.ts'
import { createProxies } from '../../src/http/proxies/proxies.ts'
import { masjidId } from '../graphql/fixture.ts'
import { everything, useEngine } from '../graphql/use-engine.ts'
import { within } from '../support/oauth.ts'
import { openSocket } from './raw-socket.ts'

const graphql = useEngine()

const PATIENCE_MS = 60_000
const run = (text: string): Promise<unknown> => graphql().database.run(rawSql(text))

const endpoint = (): Endpoint => ({
  engine: graphql().engine,
  credentials: {
    recognise: () => everything,
    authenticate: async () => everything,
    authenticateAgain: async () => everything,
  },
  persisted: createPersistedQueries(),
  admission: {
    keyLimits: { take: () => undefined, headers: () => undefined },
    turns: createFairTurns({ atOnce: 400, atOnceEach: 100, mostWaiting: 100, mostWaitingEach: 100, mostMs: 1000 }),
  },
  keeping: {},
  telling: { record: () => undefined, showSql: false, log: createLogger('silent') },
})

const live = (): Live => createLive(endpoint(), { perCredential: 10_000, perAddress: 10_000, inAll: 10_000 })

const openIn = async (one: Live, query: string, variables: Record<string, unknown> = {}) => {
  const results: string[] = []
  const errors: unknown[] = []
  const subscription = one.open({
    request: { query, variables, operationName: undefined },
    session: await one.sessions.open({ headers: {} }),
    address: '127.0.0.1',
    sink: {
      isReady: () => true,
      next: ({ payload }) => void results.push(payload),
      fail: refusal => void errors.push(refusal),
    },
  })
  return { results, errors, ...subscription }
}

const OF_MASJID =
  'subscription ($masjid: uuid!) { up_events(where: {masjid_id: {_eq: $masjid}}, order_by: {title: asc}) { title masjid { name } } }'

test('those who see the same are read for once, and each is sent the result', async () => {
  const one = live()
  const members = await Promise.all(Array.from({ length: 200 }, () => openIn(one, OF_MASJID, { masjid: masjidId(2) })))
  await within(PATIENCE_MS, 'all results', async () => members.every(({ results }) => results.length === 1))
  assert.deepEqual([one.counts.open, one.counts.cohorts], [200, 1])
  const before = one.counts.reads
  await run(`update up_events set title = 'Renamed' where title = 'Event 2.1'`)
  await within(PATIENCE_MS, 'all results', async () => members.every(({ results }) => results.length === 2))
  assert.equal(one.counts.reads - before, 1)
  for (const member of members) member.end()
  assert.deepEqual([one.counts.open, one.counts.cohorts], [0, 0])
})

test('a write has only the lists read again that it touches', async () => {
  const one = live()
  const numbers = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]
  const lists = await Promise.all(numbers.map(number => openIn(one, OF_MASJID, { masjid: masjidId(number) })))
  await within(PATIENCE_MS, 'all results', async () => lists.every(({ results }) => results.length === 1))
  const before = one.counts.reads
  await run(`update up_events set title = 'Moved' where title = 'Event 5.1'`)
  await within(PATIENCE_MS, 'the result', async () => lists[4]?.results.length === 2)
  await run(`update up_masjids set name = 'Other' where id = '${masjidId(7)}'`)
  await within(PATIENCE_MS, 'the result', async () => lists[6]?.results.length === 2)
  assert.equal(one.counts.reads - before, 2)
  assert.equal(
    lists.reduce((sum, { results }) => sum + results.length, 0),
    lists.length + 2,
  )
  for (const list of lists) list.end()
})

const BY_SLUG = 'subscription ($slug: String!) { up_masjids(where: {slug: {_eq: $slug}}) { slug capacity } }'

test('lists that differ in their values alone are read by one statement, each with its own result', async () => {
  const one = live()
  // A quote, a backslash, a brace and nothing at all have to come through as they are.
  const slugs = [...[1, 2, 3, 4, 5, 6, 7].map(number => `masjid-${number}`), 'no"ne\\', '{},NULL', '']
  const lists = await Promise.all(slugs.map(slug => openIn(one, BY_SLUG, { slug })))
  await within(PATIENCE_MS, 'all results', async () => lists.every(({ results }) => results.length === 1))
  const before = one.counts.reads
  await run(`update up_masjids set capacity = 1000 + substr(slug, 8)::int where slug < 'masjid-8'`)
  await within(PATIENCE_MS, 'the results', async () => lists.slice(0, 7).every(({ results }) => results.length === 2))
  assert.equal(one.counts.reads - before, 1)
  for (const [index, { results }] of lists.entries()) {
    const slug = slugs[index] ?? ''
    const rows = index < 7 ? [{ slug, capacity: 1001 + index }] : []
    assert.deepEqual(JSON.parse(results.at(-1) ?? ''), { data: { up_masjids: rows } })
  }
  for (const list of lists) list.end()
})

test('one value that the database refuses ends its own subscription, not those that are read with it', async () => {
  const one = live()
  const query =
    'subscription ($pattern: String!) { up_masjids(where: {name: {_regex: $pattern}}, limit: 1, order_by: {slug: asc}) { capacity } }'
  const patterns = ['^Larkspur', '(', 'Masjid']
  const lists = await Promise.all(patterns.map(pattern => openIn(one, query, { pattern })))
  await within(PATIENCE_MS, 'results and an error', async () =>
    lists.every(({ results, errors }) => results.length + errors.length > 0),
  )
  assert.deepEqual(
    lists.map(({ errors }) => errors.length),
    [0, 1, 0],
  )
  for (const list of lists) list.end()
})

test('an event that moves to another masjid is noticed at both', async () => {
  const one = live()
  const [from, to] = await Promise.all([3, 4].map(number => openIn(one, OF_MASJID, { masjid: masjidId(number) })))
  await within(PATIENCE_MS, 'the results', async () => from?.results.length === 1 && to?.results.length === 1)
  await run(`update up_events set masjid_id = '${masjidId(4)}' where title = 'Event 3.1'`)
  await within(PATIENCE_MS, 'the results', async () => from?.results.length === 2 && to?.results.length === 2)
  from?.end()
  to?.end()
})

const watchedBy = (query: string, variables: Record<string, unknown> = {}) => {
  const request = { query, variables, operationName: undefined }
  const { watched, timely } = prepareLive(graphql().engine.structures.current(), request, everything)
  return { tables: new Map(watched.map(({ table, masjids }) => [table, masjids])), timely }
}

test('which rows are watched is proven by the plan, or all of them are', () => {
  const masjid = masjidId(5)
  const [events, masjids] = ['public.up_events', 'public.up_masjids']
  const restricted = watchedBy(OF_MASJID, { masjid }).tables
  assert.deepEqual(
    restricted,
    new Map([
      [events, [masjid]],
      [masjids, [masjid]],
    ]),
  )
  const ofTwo = `subscription { up_events(where: {masjid_id: {_in: ["${masjid}", "${masjidId(6).toUpperCase()}"]}}) { id } }`
  assert.deepEqual(watchedBy(ofTwo).tables.get(events), [masjid, masjidId(6)])
  for (const where of [
    `{_or: [{masjid_id: {_eq: "${masjid}"}}, {title: {_eq: "x"}}]}`,
    `{_not: {masjid_id: {_eq: "${masjid}"}}}`,
    `{masjid_id: {_neq: "${masjid}"}}`,
    `{masjid: {id: {_eq: "${masjid}"}}}`,
    // PostgreSQL reads this as the same masjid, but the log does not write it so.
    `{masjid_id: {_eq: "${masjid.replaceAll('-', '')}"}}`,
  ])
    assert.equal(watchedBy(`subscription { up_events(where: ${where}) { id } }`).tables.get(events), undefined, where)
  const filtered = `subscription { up_masjids_by_pk(id: "${masjid}") { events { id } entity { masjids { id } } } }`
  const { tables } = watchedBy(filtered)
  assert.deepEqual(tables.get(events), [masjid])
  assert.ok(tables.has(masjids) && tables.get(masjids) === undefined)
})

test('what depends on the reader or on the clock is also read from time to time', () => {
  assert.equal(watchedBy('subscription { up_masjids { id } }').timely, false)
  assert.equal(watchedBy('subscription { up_events(where: {created_at: {_lt: "now"}}) { id } }').timely, true)
  const { tables, timely } = watchedBy(
    `subscription { ua_donations(where: {masjid_id: {_eq: "${masjidId(1)}"}}) { id } }`,
  )
  assert.equal(timely, true)
  assert.deepEqual(tables.get('public.ua_members'), [masjidId(1)])
  assert.ok(watchedBy('subscription { ua_donations { id } }').tables.has('public.ua_capabilities'))
})

/** WebSockets that show a sign of life as often as given; returns their address. */
const serveSockets = async (t: TestContext, one: Live, everyMs: number): Promise<string> => {
  const connections = createOpenConnections(everyMs)
  const options = { endpoint: endpoint(), entrance: createEntrance(endpoint()), live: one, connections }
  const sockets = createSockets({
    ...options,
    proxies: createProxies(noProxies, createLogger('silent')),
    budget: createAddressBudget(undefined),
  })
  const server = createServer().on('upgrade', (request, socket, head) =>
    sockets.handle(request, socket as Socket, head),
  )
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    connections.leaveAll()
    server.close()
  })
  return `ws://127.0.0.1:${(server.address() as AddressInfo).port}/v1/graphql`
}

test('a client that is gone without a word is noticed, and what it had open is ended; one that is there is not', async t => {
  const one = live()
  const address = await serveSockets(t, one, 1500)
  const messages = [
    { type: 'connection_init' },
    { id: '1', type: 'subscribe', payload: { query: OF_MASJID, variables: { masjid: masjidId(2) } } },
  ]
  const present = await openSocket(address, messages)
  const gone = await openSocket(address, messages, { autoPong: false })
  await within(PATIENCE_MS, 'both are open', async () => one.counts.open === 2)
  assert.equal((await gone.closed).code, 1006)
  await within(PATIENCE_MS, 'one is left', async () => one.counts.open === 1)
  await run(`update up_events set title = title || '?' where masjid_id = '${masjidId(2)}'`)
  await within(PATIENCE_MS, 'the change', async () => present.messages.filter(({ type }) => type === 'next').length > 1)
  present.socket.terminate()
  await within(PATIENCE_MS, 'none is left', async () => one.counts.open === 0)
})
