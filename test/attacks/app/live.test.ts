// Subscriptions as a way around what queries are refused: scopes, rows, costs, credentials that are no longer valid, and memory.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { test } from 'node:test'
import { rawSql } from '../../../src/db/sql.ts'
import { loadFixture, masjidId } from '../../graphql/fixture.ts'
import { type Followed, follow } from '../../live/events.ts'
import { openSocket, protocols, type RawSocket } from '../../live/raw-socket.ts'
import { makeApp, makeKey } from '../../support/apps.ts'
import { useMinaret } from '../../support/minaret.ts'
import { getTokens, makeFlow, moveApp, revoke, within } from '../../support/oauth.ts'

const PER_APP = 4
const minaret = useMinaret({ SUBSCRIPTIONS_PER_APP: String(PER_APP), ROWS_PER_MINUTE: '1000' }, ({ service }) =>
  loadFixture(service.database),
)

const PATIENCE_MS = 15_000
const url = (): string => `${minaret().baseUrl}/v1/graphql`
const run = (text: string): Promise<unknown> => minaret().service.database.run(rawSql(text))
const codeIn = ({ results }: Followed): string | undefined => results.at(-1)?.errors?.[0].extensions.code

const LIST = 'subscription { up_masjids(limit: 3, order_by: {slug: asc}) { slug capacity } }'

const newApp = async (scopes: Parameters<typeof makeKey>[1]['scopes'] = ['masjid:read']) => {
  const { database } = minaret().service
  const app = await makeApp(database, { scopes: scopes ?? [] })
  return { app, key: (await makeKey(database, { appId: app.id, scopes: scopes ?? [] })).key }
}

test('a table without its scope is not followed, wherever it is named', async () => {
  const { key } = await newApp()
  for (const query of [
    'subscription { up_events { id } }',
    'subscription { up_masjids { events { id } } }',
    'subscription { up_masjids(where: {events: {title: {_eq: "x"}}}) { id } }',
    'subscription { ua_donations_aggregate { aggregate { count } } }',
    'subscription { ua_members_stream(batch_size: 1, cursor: {initial_value: {created_at: "2020-01-01"}}) { id } }',
    'subscription { up_masjids_stream(batch_size: 1, cursor: {initial_value: {slug: ""}}, where: {events: {}}) { id } }',
  ]) {
    const refused = await follow({ url: url(), key, query })
    await refused.ended
    assert.equal(codeIn(refused), 'insufficient-scope', query)
  }
})

test('costs and batches are refused as they are for queries', async () => {
  const { key } = await newApp(['members:read', 'masjid:read'])
  // Of people, the limits of lists count, whatever the statistics say.
  const nested = 'household { members { household { members { id } } } }'
  const costly = await follow({ url: url(), key, query: `subscription { ua_members { ${nested} } }` })
  await costly.ended
  assert.equal(codeIn(costly), 'too-costly')
  const batch = await fetch(url(), {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'text/event-stream', authorization: `Bearer ${key}` },
    body: JSON.stringify([{ query: LIST }, { query: LIST }]),
  })
  assert.match(await batch.text(), /subscription-elsewhere/)
})

test('results count towards the rows of an app: when they are used up, it is sent the newest later, not more', async () => {
  const { key } = await newApp()
  const query = 'subscription { up_masjids(limit: 100) { capacity } }'
  const started = performance.now()
  const list = await follow({ url: url(), key, query })
  await list.until(1)
  for (let count = 0; count < 11; count += 1) {
    const before = list.results.length
    await run(`update up_masjids set capacity = coalesce(capacity, 0) + 1 where slug = 'masjid-7'`)
    await within(1500, 'a result', async () => list.results.length > before).catch(() => undefined)
  }
  // On a busy machine more than one minute may have passed, each with rows of its own.
  const minutes = 1 + Math.floor((performance.now() - started) / 60_000)
  const { length } = list.results
  assert.ok(length >= 5 && length <= 10 * minutes, `${length} results in ${minutes} minutes`)
  const ask = async (): Promise<number> => {
    const response = await fetch(url(), {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
      body: JSON.stringify({ query: '{ up_masjids(limit: 100) { id } }' }),
    })
    return response.status
  }
  const statuses: number[] = []
  while (statuses.at(-1) !== 429 && statuses.length <= 10 * (minutes - 1)) statuses.push(await ask())
  assert.equal(statuses.at(-1), 429, statuses.join())
  await list.close()
})

/** With the answer to its subscription. */
const opened = async (key: string, protocol: string): Promise<RawSocket> => {
  const messages = [
    { type: 'connection_init', payload: { Authorization: `Bearer ${key}` } },
    { id: '1', type: 'subscribe', payload: { query: LIST } },
  ]
  const socket = await openSocket(url().replace('http', 'ws'), messages, { protocol })
  await within(PATIENCE_MS, 'an answer', async () => socket.messages.length > 1)
  return socket
}

test('an app has only so many open, over all its keys and connections, and gets places back', async () => {
  const { app, key } = await newApp()
  const { key: other } = await makeKey(minaret().service.database, { appId: app.id })
  const open = await Promise.all(
    Array.from({ length: PER_APP }, (_, index) =>
      follow({ url: url(), key: index % 2 === 0 ? key : other, query: LIST }),
    ),
  )
  assert.deepEqual(
    open.map(({ status }) => status),
    Array(PER_APP).fill(200),
  )
  const refused = await follow({ url: url(), key: other, query: LIST })
  assert.equal(refused.status, 429)
  assert.ok(refused.headers.get('retry-after'))
  for (const protocol of protocols) {
    const socket = await opened(key, protocol)
    assert.equal(socket.messages[1].payload[0].extensions.code, 'too-many-subscriptions')
    socket.socket.terminate()
  }
  await Promise.all(open.map(one => one.close()))
  await within(PATIENCE_MS, 'a place', async () => {
    const again = await follow({ url: url(), key, query: LIST })
    await again.close()
    return again.status === 200
  })
})

test('a revoked token ends what it opened, over every transport', async () => {
  const flow = await makeFlow(minaret())
  const { access_token: token } = await getTokens(minaret(), flow, { scope: 'masjid:read' })
  const events = await follow({ url: url(), key: token, query: LIST })
  const sockets = await Promise.all(protocols.map(protocol => opened(token, protocol)))
  await events.until(1)
  await revoke(minaret(), flow.app, token)
  await events.ended
  assert.equal(codeIn(events), 'invalid_token')
  assert.deepEqual(events.events.slice(-2), ['next', 'complete'])
  for (const socket of sockets) assert.equal((await socket.closed).code, 4403)
})

test('a suspended app, a withdrawn scope and an expired key end theirs', async () => {
  const { database } = minaret().service
  const suspended = await newApp()
  const narrowed = await newApp(['masjid:read', 'events:read'])
  const expiring = await newApp()
  const brief = await makeKey(database, { appId: expiring.app.id, expiresAt: new Date(Date.now() + 20_000) })
  const open = await Promise.all(
    [suspended.key, narrowed.key, brief.key].map(key => follow({ url: url(), key, query: LIST })),
  )
  await Promise.all(open.map(one => one.until(1)))
  await moveApp(database, { id: suspended.app.id } as never, 'suspended')
  await run(`update minaret.apps set scopes = '{events:read}' where id = '${narrowed.app.id}'`)
  await Promise.all(open.map(({ ended }) => ended))
  assert.deepEqual(open.map(codeIn), ['invalid_token', 'insufficient-scope', 'invalid_token'])
})

test('whoever is dismissed is shown no more rows of others', async () => {
  const flow = await makeFlow(minaret())
  await run(`insert into ua_members (masjid_id, user_id, role, given_name)
    values ('${masjidId(1)}', '${flow.user.id}', 'board', 'Chair')`)
  const { access_token: token } = await getTokens(minaret(), flow, { scope: 'members:read' })
  const query = `subscription { ua_members(where: {masjid_id: {_eq: "${masjidId(1)}"}}) { given_name } }`
  const list = await follow({ url: url(), key: token, query })
  const first = await list.until(1)
  assert.ok(first.data.ua_members.length > 5)
  await run(`update ua_members set role = 'member' where user_id = '${flow.user.id}'`)
  await list.untilSo('nobody but oneself', ({ data }) => data?.ua_members.length === 1)
  await run(
    `update ua_members set given_name = 'Hidden' where masjid_id = '${masjidId(1)}' and user_id <> '${flow.user.id}'`,
  )
  await run(`update ua_members set given_name = 'Myself' where user_id = '${flow.user.id}'`)
  await list.untilSo('the own row', ({ data }) => data?.ua_members[0].given_name === 'Myself')
  assert.ok(!JSON.stringify(list.results).includes('Hidden'))
  await list.close()
})

test('what is read for people is in the read log, each push', async () => {
  const { app, key } = await newApp(['members:read'])
  const count = async (): Promise<number> => {
    const rows = await minaret().service.database.query<{ count: number }>(
      rawSql(
        `select count(*)::int as count from minaret.read_log where app_id = '${app.id}' and table_name = 'ua_members'`,
      ),
    )
    return rows[0]?.count ?? 0
  }
  const list = await follow({ url: url(), key, query: 'subscription { ua_members(limit: 2) { given_name } }' })
  await list.until(1)
  await within(PATIENCE_MS, 'the first read', async () => (await count()) === 1)
  await list.close()
})

test('a reader that takes nothing costs no queue: it gets the newest state when it reads', async () => {
  const { key } = await newApp(['masjid:read', 'events:read'])
  const { key: other } = await newApp()
  const here = `masjid_id in ('${masjidId(5)}', '${masjidId(11)}')`
  await run(`update up_events set description = repeat('x', 19000) where ${here}`)
  // More than the buffers between the two hold.
  const query = `subscription { up_events(where: {masjid_id: {_in: ["${masjidId(5)}", "${masjidId(11)}"]}}, limit: 10) { description masjid { capacity } } }`
  const body = JSON.stringify({ query })
  const socket = connect(Number(new URL(url()).port), '127.0.0.1')
  await once(socket, 'connect')
  const head = `POST /v1/graphql HTTP/1.1\r\nhost: a\r\naccept: text/event-stream\r\nauthorization: Bearer ${key}\r\n`
  socket.write(`${head}content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`)
  await once(socket, 'data')
  socket.pause()
  const watched = `subscription { up_masjids_by_pk(id: "${masjidId(5)}") { capacity } }`
  const watching = await follow({ url: url(), key: other, query: watched })
  await watching.until(1)
  const changes = 60
  for (let count = 1; count <= changes; count += 1) {
    await run(`update up_masjids set capacity = ${count} where id = '${masjidId(5)}'`)
    await watching.untilSo(`${count}`, ({ data }) => data?.up_masjids_by_pk.capacity === count)
  }
  let text = ''
  socket.on('data', chunk => {
    text += chunk
  })
  socket.resume()
  await within(PATIENCE_MS, 'the newest', async () => text.includes(`"capacity":${changes}}`))
  const results = text.split('event: next').length - 1
  assert.ok(results > 1 && results < changes, `${results} results of ${changes}`)
  socket.destroy()
  await watching.close()
})
