// One connection as a way to use up a process: too many operations, fragments, unread answers; and what belongs to others.
import assert from 'node:assert/strict'
import type { Socket } from 'node:net'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import WebSocket from 'ws'
import { rawSql } from '../../../src/db/sql.ts'
import { loadFixture, masjidId } from '../../graphql/fixture.ts'
import { follow } from '../../live/events.ts'
import { openSocket, protocols, type RawSocket } from '../../live/raw-socket.ts'
import { makeApp, makeKey } from '../../support/apps.ts'
import { useMinaret } from '../../support/minaret.ts'
import { getTokens, makeFlow, within } from '../../support/oauth.ts'

const PER_APP = 100
const minaret = useMinaret({ SUBSCRIPTIONS_PER_APP: String(PER_APP) }, ({ service }) => loadFixture(service.database))

const PATIENCE_MS = 30_000
const url = (): string => `${minaret().baseUrl}/v1/graphql`
const run = (text: string): Promise<unknown> => minaret().service.database.run(rawSql(text))

const newKey = async (): Promise<string> => {
  const { database } = minaret().service
  const scopes = ['masjid:read', 'events:read'] as const
  const app = await makeApp(database, { scopes })
  return (await makeKey(database, { appId: app.id, scopes })).key
}

const acknowledged = async (key: string, protocol = 'graphql-transport-ws'): Promise<RawSocket> => {
  const messages = [{ type: 'connection_init', payload: { Authorization: `Bearer ${key}` } }]
  const socket = await openSocket(url().replace('http', 'ws'), messages, { protocol })
  await within(PATIENCE_MS, 'the acknowledgement', async () => socket.messages.length > 0)
  return socket
}

/** Somebody else is served while it goes on. */
const isServed = async (): Promise<void> => {
  const list = await follow({
    url: url(),
    key: await newKey(),
    query: 'subscription { up_masjids(limit: 1) { slug } }',
  })
  await list.until(1)
  await list.close()
}

const MANY = 10_000

const subscribeOften = async (protocol: string): Promise<void> => {
  const socket = await acknowledged(await newKey(), protocol)
  const query = 'subscription ($n: Int!) { up_masjids(where: {capacity: {_eq: $n}}) { slug } }'
  for (let n = 0; n < MANY; n += 1) socket.send({ id: `${n}`, type: 'subscribe', payload: { query, variables: { n } } })
  await isServed()
  const count = (type: string): number => socket.messages.filter(message => message.type === type).length
  await within(PATIENCE_MS, 'all are told', async () => count('next') + count('error') >= MANY)
  assert.deepEqual([count('next'), count('error')], [PER_APP, MANY - PER_APP])
  const refused = socket.messages.filter(({ type }) => type === 'error')
  assert.ok(refused.every(({ payload }) => payload[0].extensions.code === 'too-many-subscriptions'))
  socket.send({ id: '0', type: 'complete' })
  socket.send({ id: 'again', type: 'subscribe', payload: { query, variables: { n: 0 } } })
  await within(PATIENCE_MS, 'a place', async () =>
    socket.messages.some(({ id, type }) => id === 'again' && type === 'next'),
  )
  socket.socket.terminate()
}

test('10,000 subscriptions on one socket: so many are opened, each other one is refused, and others are served', async () => {
  for (const protocol of protocols) await subscribeOften(protocol)
})

/** Over the older protocol before anything is acknowledged. */
const queryOften = async (protocol: string): Promise<void> => {
  const key = await newKey()
  const first = { type: 'connection_init', payload: { Authorization: `Bearer ${key}` } }
  const hurries = protocol === 'graphql-ws'
  const socket = hurries
    ? await openSocket(url().replace('http', 'ws'), [first], { protocol })
    : await acknowledged(key, protocol)
  const payload = { query: '{ up_masjids_by_slug(slug: "masjid-1") { slug } }' }
  for (let n = 0; n < MANY; n += 1) socket.send({ id: `${n}`, type: 'subscribe', payload })
  await isServed()
  await within(PATIENCE_MS * 2, 'all are told', async () => {
    const ended = socket.messages.filter(({ type }) => type === 'complete' || type === 'error')
    return ended.length === MANY
  })
  socket.socket.terminate()
}

test('10,000 queries on one socket are answered, a few at a time, and others are served', async () => {
  for (const protocol of protocols) await queryOften(protocol)
})

test('a message in more pieces than clients make closes the socket', async () => {
  for (const protocol of protocols) {
    const { socket, closed } = await acknowledged(await newKey(), protocol)
    for (let piece = 0; piece < 1000 && socket.readyState === WebSocket.OPEN; piece += 1)
      socket.send('x', { fin: false })
    assert.equal((await closed).code, 1008)
  }
})

/** What is below the messages. */
const transportOf = (socket: WebSocket): Socket => (socket as unknown as { _socket: Socket })._socket

test('compression is not agreed on, and a message that claims to be compressed closes the socket', async () => {
  const { socket, closed } = await acknowledged(await newKey())
  assert.equal(socket.extensions, '')
  // Text, final, with the bit of permessage-deflate; masked with zeros.
  transportOf(socket).write(Buffer.from([0xc1, 0x81, 0, 0, 0, 0, 0x7b]))
  assert.equal((await closed).code, 1002)
})

test('a small body that would become a large one is refused', async () => {
  const key = await newKey()
  const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024, ' '))
  for (const address of [url(), `${url()}/stream`]) {
    const response = await fetch(address, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        accept: 'text/event-stream',
        'content-type': 'application/json',
        'content-encoding': 'gzip',
      },
      body: bomb,
    })
    const text = await response.text()
    assert.ok(response.status >= 400 && response.status < 500, `${address}: ${response.status} ${text.slice(0, 200)}`)
  }
})

const sendUnread = async (protocol: string, message: object, times: number): Promise<void> => {
  const { socket, closed, send } = await acknowledged(await newKey(), protocol)
  transportOf(socket).pause()
  let gone = false
  void closed.then(() => {
    gone = true
  })
  transportOf(socket).on('error', () => undefined)
  for (let count = 0; count < times && socket.readyState === WebSocket.OPEN; count += 1) {
    send(message)
    if (count % 1000 === 0 || socket.bufferedAmount > 1_000_000)
      await within(PATIENCE_MS, 'it is sent or refused', async () => socket.bufferedAmount < 1_000_000 || gone)
  }
  transportOf(socket).resume()
  assert.equal((await closed).code, 1006)
}

test('whoever sends pings and reads no answer is cut off', async () => {
  const filling = 'x'.repeat(200_000)
  await sendUnread('graphql-transport-ws', { type: 'ping', payload: { filling } }, 200)
  // The older protocol has no pings, but an answer to what it does not understand.
  await sendUnread('graphql-ws', { type: 'ping' }, 500_000)
})

test('a WebSocket that reads nothing costs no queue: it gets the newest state when it reads', async () => {
  for (const protocol of protocols) await readLate(protocol)
})

async function readLate(protocol: string): Promise<void> {
  const { socket, messages, send } = await acknowledged(await newKey(), protocol)
  const here = `masjid_id in ('${masjidId(5)}', '${masjidId(11)}')`
  await run(`update up_events set description = repeat('x', 19000) where ${here}`)
  await run(`update up_masjids set capacity = null where id = '${masjidId(5)}'`)
  const query = `subscription { up_events(where: {masjid_id: {_in: ["${masjidId(5)}", "${masjidId(11)}"]}}, limit: 10) { description masjid { capacity } } }`
  send({ id: '1', type: 'subscribe', payload: { query } })
  await within(PATIENCE_MS, 'the first result', async () => messages.some(({ type }) => type === 'next'))
  transportOf(socket).pause()
  const watched = `subscription { up_masjids_by_pk(id: "${masjidId(5)}") { capacity } }`
  const watching = await follow({ url: url(), key: await newKey(), query: watched })
  await watching.until(1)
  const changes = 60
  for (let count = 1; count <= changes; count += 1) {
    await run(`update up_masjids set capacity = ${count} where id = '${masjidId(5)}'`)
    await watching.untilSo(`${count}`, ({ data }) => data?.up_masjids_by_pk.capacity === count)
  }
  transportOf(socket).resume()
  await within(PATIENCE_MS, 'the newest', async () =>
    JSON.stringify(messages.at(-1)).includes(`"capacity":${changes}}`),
  )
  const results = messages.filter(({ type }) => type === 'next').length
  assert.ok(results > 1 && results < changes, `${results} results of ${changes}`)
  socket.terminate()
  await watching.close()
}

test('a stream that another app has reserved is not used, and its token opens nothing else', async () => {
  const [key, other] = [await newKey(), await newKey()]
  const reserved = await fetch(`${url()}/stream`, { method: 'PUT', headers: { authorization: `Bearer ${key}` } })
  const token = await reserved.text()
  const post = async (authorization: string, address = `${url()}/stream`): Promise<number> => {
    const response = await fetch(address, {
      method: 'POST',
      headers: { authorization, 'x-graphql-event-stream-token': token, 'content-type': 'application/json' },
      body: JSON.stringify({
        query: 'subscription { up_masjids { id } }',
        extensions: { operationId: 'mine' },
      }),
    })
    await response.text()
    return response.status
  }
  assert.equal(await post(`Bearer ${other}`), 403)
  assert.equal(await post(`Bearer ${token}`), 401)
  assert.equal(await post(`Bearer ${token}`, url()), 401)
  assert.equal(await post(`Bearer ${key}`), 202)
})

const MEMBERS = `subscription ($after: String) {
  ua_members_stream(batch_size: 1, cursor: {initial_value: {given_name: ""}}, after: $after, where: {masjid_id: {_eq: "${masjidId(1)}"}}) { given_name _cursor }
}`

test('the cursor of another’s stream shows no row of theirs, and fits no other order', async () => {
  const [chair, member] = [await makeFlow(minaret()), await makeFlow(minaret())]
  for (const [flow, role, name] of [
    [chair, 'board', 'Chair'],
    [member, 'member', 'zz Member'],
  ] as const)
    await run(`insert into ua_members (masjid_id, user_id, role, given_name)
      values ('${masjidId(1)}', '${flow.user.id}', '${role}', '${name}')`)
  const tokenOf = async (flow: typeof chair): Promise<string> =>
    (await getTokens(minaret(), flow, { scope: 'members:read' })).access_token
  const all = await follow({ url: url(), key: await tokenOf(chair), query: MEMBERS })
  await all.until(3)
  const cursor: string = all.results[0].data.ua_members_stream[0]._cursor
  await all.close()
  const key = await tokenOf(member)
  const own = await follow({ url: url(), key, query: MEMBERS, variables: { after: cursor } })
  await own.until(1)
  assert.deepEqual(
    own.results.flatMap(({ data }) => data.ua_members_stream.map((row: { given_name: string }) => row.given_name)),
    ['zz Member'],
  )
  await own.close()
  const query = MEMBERS.replaceAll('given_name', 'family_name')
  const refused = await follow({ url: url(), key, query, variables: { after: cursor } })
  await refused.ended
  assert.equal(refused.results[0].errors[0].extensions.code, 'bad-cursor')
})
