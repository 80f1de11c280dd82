// Subscriptions that bring what they do not use: it must not stay in memory for as long as they are open.
import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { loadFixture } from '../../graphql/fixture.ts'
import { openSocket } from '../../live/raw-socket.ts'
import { makeApp, makeKey } from '../../support/apps.ts'
import { useMinaret } from '../../support/minaret.ts'
import { within } from '../../support/oauth.ts'

setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')

const MANY = 80
const BULK = 200 * 1024
/** A quarter of what came with the requests: the connections need something too, at both ends. */
const MOST_KEPT = (MANY * BULK) / 4
/** What passes by is let go of within this time; what is kept stays for as long as they are open. */
const LOOKS = 40
const LOOK_MS = 250
const limits = { SUBSCRIPTIONS_PER_APP: '1000', CONNECTIONS_PER_ADDRESS: '1000' }
const minaret = useMinaret(limits, ({ service }) => loadFixture(service.database))

const newKey = async (): Promise<string> => {
  const { database } = minaret().service
  const app = await makeApp(database, { scopes: ['masjid:read'] })
  return (await makeKey(database, { appId: app.id, scopes: ['masjid:read'] })).key
}

const query = 'subscription ($slug: String!) { up_masjids(where: {slug: {_eq: $slug}}) { slug } }'
const bulk = (index: number): string => `${index}`.padEnd(BULK, 'x')
const withUnused = (index: number) => ({ query, variables: { slug: `masjid-${index}`, unused: [bulk(index)] } })
const withComment = (index: number) => ({ query: `${query} # ${bulk(index)}`, variables: { slug: `masjid-${index}` } })

const used = (): number => {
  for (let turn = 0; turn < 3; turn += 1) collectGarbage()
  const { heapUsed, external, arrayBuffers } = process.memoryUsage()
  return heapUsed + external + arrayBuffers
}

/** How many bytes more stay in use while these are open. */
const growth = async (open: (index: number) => Promise<() => void>): Promise<number> => {
  const closes = [await open(0)]
  const before = used()
  for (let index = 1; index <= MANY; index += 1) closes.push(await open(index))
  let grown = used() - before
  for (let look = 1; look < LOOKS && grown >= MOST_KEPT; look += 1) {
    await delay(LOOK_MS)
    grown = used() - before
  }
  for (const close of closes) close()
  return grown
}

const overSocket = (key: string, request: (index: number) => object) => async (index: number) => {
  const socket = await openSocket(`${minaret().baseUrl.replace('http', 'ws')}/v1/graphql`, [
    { type: 'connection_init', payload: { Authorization: `Bearer ${key}` } },
    { id: '1', type: 'subscribe', payload: request(index) },
  ])
  await within(60_000, 'a result', async () => socket.messages.length > 1)
  assert.equal(socket.messages[1].type, 'next', JSON.stringify(socket.messages[1]).slice(0, 300))
  return () => socket.socket.terminate()
}

/** Without a client that would keep what it sends. */
const overEvents = (key: string, request: (index: number) => object) => async (index: number) => {
  const socket = connect(Number(new URL(minaret().baseUrl).port), '127.0.0.1')
  let text = ''
  socket.on('data', chunk => {
    text += chunk
  })
  const body = JSON.stringify(request(index))
  socket.write(
    `POST /v1/graphql HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${key}\r\naccept: text/event-stream\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
  )
  await within(60_000, 'a result', async () => text.includes('event: next'))
  return () => socket.destroy()
}

for (const [name, request] of [
  ['variables that the operation does not declare', withUnused],
  ['comments', withComment],
] as const)
  for (const [transport, over] of [
    ['WebSockets', overSocket],
    ['streams of events', overEvents],
  ] as const)
    test(`${name} are not kept, over ${transport}`, async () => {
      const bytes = await growth(over(await newKey(), request))
      // What is cached of documents has a bound of its own, which is not used up.
      assert.ok(bytes < MOST_KEPT, `${Math.round(bytes / 1024)} KB for ${MANY} subscriptions`)
    })

test('what is kept still reads the same, to the last digit', async () => {
  const key = await newKey()
  const large = 'subscription ($id: bigint!) { up_masjids(where: {version: {_lt: $id}}, limit: 1) { slug } }'
  const socket = await openSocket(`${minaret().baseUrl.replace('http', 'ws')}/v1/graphql`, [
    { type: 'connection_init', payload: { Authorization: `Bearer ${key}` } },
    `{"id":"1","type":"subscribe","payload":{"query":${JSON.stringify(large)},"variables":{"id":9007199254740993,"unused":1}}}`,
  ])
  await within(60_000, 'a result', async () => socket.messages.length > 1)
  assert.equal(socket.messages[1].type, 'next')
  assert.equal(socket.messages[1].payload.data.up_masjids.length, 1)
  socket.socket.terminate()
})
