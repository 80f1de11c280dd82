// Many connections that ask for much and read little of it, or nothing: what waits for them has a bound, and others are served.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { rawSql } from '../../../src/db/sql.ts'
import { openSocket } from '../../live/raw-socket.ts'
import { makeShownMasjid } from '../../masjid/use-masjid-page.ts'
import type { Masjid } from '../../staff/use-staff.ts'
import { makeApp, makeKey } from '../../support/apps.ts'
import { openClient, waitForTable } from '../../support/graphql.ts'
import { useMinaret } from '../../support/minaret.ts'
import { within } from '../../support/oauth.ts'

const PATIENCE_MS = 60_000
const MEBIBYTE = 1024 * 1024
/** As in `bound-unread.ts`, with as much again for what the system holds, and for what came since the last look. */
const MOST = 2 * 128 * MEBIBYTE
const ANSWER = 4 * MEBIBYTE
/** Half as much again as may wait. */
const MANY = Math.ceil((MOST * 1.5) / ANSWER)

let key = ''
let masjid: Masjid
const minaret = useMinaret({ SUBSCRIPTIONS_PER_ADDRESS: '1000' }, async started => {
  const { database } = started.service
  for (const statement of [
    'create table public.up_texts (id integer primary key, text text not null)',
    `comment on table public.up_texts is E'@scope masjid:read\\nA table of long texts.'`,
    "insert into public.up_texts select n, repeat('x', 42000) from generate_series(1, 100) n",
  ])
    await database.run(rawSql(statement))
  const scopes = ['masjid:read', 'prayer-times:read'] as const
  key = (await makeKey(database, { appId: (await makeApp(database, { scopes })).id, scopes })).key
  masjid = await makeShownMasjid(started)
  await waitForTable(openClient(started, key), 'up_texts')
})

const TEXTS = '{ up_texts(limit: 100) { text } }'
const auth = () => `host: localhost\r\nauthorization: Bearer ${key}\r\n`

const post = (body: string, headers = ''): string =>
  `POST /v1/graphql HTTP/1.1\r\n${auth()}${headers}content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`
const get = (path: string, headers = ''): string => `GET ${path} HTTP/1.1\r\n${auth()}${headers}\r\n`

const open = async (request: string): Promise<Socket> => {
  const socket = connect({ port: Number(new URL(minaret().baseUrl).port), host: '127.0.0.1' })
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  socket.pause().write(request)
  return socket
}

/** A few bytes at a time, so that it is never quite silent. */
const trickle = (socket: Socket): Socket => {
  const timer = setInterval(() => void socket.read(100), 100)
  socket.once('close', () => clearInterval(timer))
  return socket
}

/** Somebody else gets all of a large answer, while it goes on. */
const isServed = async (): Promise<void> => {
  const response = await fetch(`${minaret().baseUrl}/v1/graphql`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ query: TEXTS }),
  })
  assert.equal(response.status, 200)
  assert.ok((await response.text()).length > ANSWER)
}

const body = JSON.stringify({ query: TEXTS })
const large: Readonly<Record<string, () => Promise<Socket>>> = {
  'on plain connections': () => open(post(body)),
  'by GET': () => open(get(`/v1/graphql?query=${encodeURIComponent(TEXTS)}`)),
  'as an event': () => open(post(body, 'accept: text/event-stream\r\n')),
  'a few bytes at a time': async () => trickle(await open(post(body))),
}

test('large answers that nobody reads, or a few bytes at a time, are not kept without end', async () => {
  const ways = Object.values(large)
  const sockets: Socket[] = []
  let closed = 0
  while (sockets.length < MANY) {
    const socket = await (ways[sockets.length % ways.length] as () => Promise<Socket>)()
    socket.once('close', () => {
      closed += 1
    })
    sockets.push(socket)
  }
  await within(PATIENCE_MS, 'what is too much is closed', async () => {
    // Who reads nothing learns of it by writing.
    for (const socket of sockets) if (socket.writable) socket.write('\r\n')
    await delay(100)
    return (MANY - closed) * ANSWER <= MOST
  })
  await isServed()
  for (const socket of sockets) socket.destroy()
})

/** Each is asked for by more connections than may be in progress for one app or address. */
const kinds: Readonly<Record<string, () => string>> = {
  'a calendar of a year, for an app': () => get(`/v1/masjids/${masjid.id}/prayer-times.ics?from=2026-01-01&days=366`),
  'a table of a year, for an app': () => get(`/v1/masjids/${masjid.id}/prayer-times.csv?from=2026-01-01&days=366`),
  'a public calendar': () => get(`/m/${masjid.slug}/prayer-times.ics`),
  'a picture': () => get(`/m/${masjid.slug}/og.png?lang=en`),
  'a public page': () => get(`/m/${masjid.slug}?lang=ar`),
  'the schema': () => get('/v1/schema.graphql'),
  'the introspected schema, compressed': () => get('/v1/relay/schema.json', 'accept-encoding: br\r\n'),
  'the documentation': () => get('/docs/search?q=masjid'),
  'a sitemap': () => get('/sitemap-1.xml'),
  keys: () => get('/.well-known/jwks.json'),
}

const CONNECTIONS = 24

const statusOf = async (request: string): Promise<string> => {
  const socket = await open(request.replace('host: localhost', 'connection: close\r\nhost: localhost'))
  let text = ''
  socket.on('data', bytes => {
    text += bytes.toString('latin1')
  })
  socket.resume()
  await once(socket, 'close')
  return text.slice(0, 12)
}

for (const [name, request] of Object.entries(kinds))
  test(`connections that ask for ${name} and read nothing take nobody’s turn`, async () => {
    const expected = await statusOf(request())
    assert.equal(expected, 'HTTP/1.1 200')
    const sockets = await Promise.all(Array.from({ length: CONNECTIONS }, () => open(request())))
    assert.equal(await statusOf(request()), expected)
    for (const socket of sockets) socket.destroy()
  })

test('WebSockets whose large answers nobody reads are bounded one by one, and others are served', async () => {
  const sockets = await Promise.all(
    Array.from({ length: 4 }, async () => {
      const one = await openSocket(`${minaret().baseUrl.replace('http', 'ws')}/v1/graphql`, [
        { type: 'connection_init', payload: { Authorization: `Bearer ${key}` } },
      ])
      await within(PATIENCE_MS, 'the acknowledgement', () => one.messages.length > 0)
      one.socket.pause()
      for (let id = 0; id < 3; id += 1) one.send({ id: `${id}`, type: 'subscribe', payload: { query: TEXTS } })
      return one
    }),
  )
  await isServed()
  for (const { socket, closed } of sockets) {
    socket.resume()
    // After the second answer there is more unread than a socket may leave.
    assert.equal((await closed).code, 1006)
  }
})
