// The older protocol over WebSockets, called graphql-ws, in the words of its clients.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import WebSocket from 'ws'
import { rawSql } from '../../src/db/sql.ts'
import { useApi } from '../graphql/use-api.ts'
import { within } from '../support/oauth.ts'
import { openSocket, type RawSocket } from './raw-socket.ts'

const api = useApi()

const PATIENCE_MS = 60_000
const address = (): string => api().url.replace('http', 'ws')
const init = () => ({ type: 'connection_init', payload: { headers: { Authorization: `Bearer ${api().key}` } } })
const start = (id: unknown, query: string, more: object = {}) => ({ type: 'start', id, payload: { query, ...more } })
const LIST = 'subscription ($slug: String!) { up_masjids(where: {slug: {_eq: $slug}}) { slug capacity } }'

const open = (messages: readonly unknown[]): Promise<RawSocket> =>
  openSocket(address(), messages, { protocol: 'graphql-ws', asIs: true })

/** Without its signs of life. */
const said = ({ messages }: RawSocket) => messages.filter(({ type }) => type !== 'ka')

const until = (socket: RawSocket, count: number): Promise<void> =>
  within(PATIENCE_MS, `${count} messages`, async () => said(socket).length >= count)

/** As clients do: everything at once, before anything is acknowledged. */
const hurry = async (messages: readonly unknown[]): Promise<RawSocket> => {
  const socket = await open([])
  for (const message of messages) socket.send(message)
  return socket
}

test('a client that waits for nothing: init, ack, ka, data, stop, complete', async () => {
  const socket = await hurry([init(), start('1', LIST, { variables: { slug: 'masjid-1' }, operationName: null })])
  await until(socket, 2)
  assert.deepEqual(socket.messages.slice(0, 2), [{ type: 'connection_ack' }, { type: 'ka' }])
  const first = { up_masjids: [{ slug: 'masjid-1', capacity: null }] }
  assert.deepEqual(said(socket)[1], { id: '1', type: 'data', payload: { data: first } })
  await api().minaret.service.database.run(rawSql(`update up_masjids set capacity = 21 where slug = 'masjid-1'`))
  await until(socket, 3)
  assert.equal(said(socket)[2].payload.data.up_masjids[0].capacity, 21)
  for (const message of [
    { type: 'stop', id: '1' },
    { type: 'stop', id: '1' },
    { type: 'stop', id: 'unknown' },
  ])
    socket.send(message)
  socket.send(start('2', '{ up_masjids_by_slug(slug: "masjid-4") { slug } }'))
  await until(socket, 6)
  assert.deepEqual(said(socket).slice(3), [
    { id: '1', type: 'complete' },
    { id: '2', type: 'data', payload: { data: { up_masjids_by_slug: { slug: 'masjid-4' } } } },
    { id: '2', type: 'complete' },
  ])
  socket.send({ type: 'connection_terminate', payload: null })
  assert.equal((await socket.closed).code, 1000)
})

test('ids may be numbers, as of its first clients', async () => {
  const socket = await hurry([init(), start(0, '{ up_masjids_by_slug(slug: "masjid-4") { slug } }')])
  await until(socket, 3)
  assert.deepEqual(
    said(socket).map(({ id, type }) => [id, type]),
    [
      [undefined, 'connection_ack'],
      ['0', 'data'],
      ['0', 'complete'],
    ],
  )
  socket.socket.terminate()
})

test('an error ends its operation alone, and is an object; several are within it', async () => {
  const socket = await hurry([
    init(),
    start('good', LIST, { variables: { slug: 'masjid-2' } }),
    start('one', 'subscription { up_masjids { nothing } }'),
    start('two', '{ nothing other }'),
    start('three', 'subscription { '),
  ])
  await until(socket, 5)
  const errorOf = (wanted: string) => said(socket).find(({ id, type }) => id === wanted && type === 'error')?.payload
  assert.equal(errorOf('one').extensions.code, 'validation-failed')
  assert.match(errorOf('one').message, /nothing/)
  assert.equal(errorOf('one').errors, undefined)
  assert.equal(errorOf('two').errors.length, 2)
  assert.equal(errorOf('two').message, errorOf('two').errors[0].message)
  assert.equal(errorOf('three').extensions.code, 'parse-failed')
  await api().minaret.service.database.run(rawSql(`update up_masjids set capacity = 22 where slug = 'masjid-2'`))
  await until(socket, 6)
  assert.equal(said(socket)[5].id, 'good')
  socket.socket.terminate()
})

test('what is no message is answered with connection_error, and otherwise ignored', async () => {
  const socket = await open([init(), '{', '[]', { type: 'ping' }, { type: 'start', payload: {} }, Buffer.from('{}')])
  await until(socket, 6)
  const complaint = { type: 'connection_error', payload: { message: 'Invalid message' } }
  assert.deepEqual(said(socket).slice(1), Array(5).fill(complaint))
  assert.equal(socket.socket.readyState, WebSocket.OPEN)
  socket.socket.terminate()
})

test('a socket that is closed is told why', async () => {
  const asked = start('1', 'subscription { up_masjids { id } }')
  for (const [what, messages, code] of [
    [
      'a credential that is none',
      [{ type: 'connection_init', payload: { Authorization: 'Bearer none' } }, asked],
      4403,
    ],
    ['no credential', [{ type: 'connection_init' }, asked], 4403],
    ['two beginnings', [init(), init()], 4429],
    ['an operation before the beginning', [asked], 4401],
    ['two operations with one id', [init(), asked, asked], 4409],
    ['nothing at all', [], 4408],
  ] as const) {
    const socket = await hurry(messages)
    const { code: closedWith, reason } = await socket.closed
    assert.equal(closedWith, code, what)
    const last = socket.messages.at(-1)
    assert.equal(last.type, 'connection_error', what)
    assert.equal(reason.slice(0, 20), last.payload.message.slice(0, 20), what)
    assert.ok(!socket.messages.some(({ type }) => type === 'data') || code === 4409, what)
  }
})

test('whoever speaks both protocols gets the newer one', async () => {
  const socket = new WebSocket(address(), ['graphql-ws', 'graphql-transport-ws'])
  await new Promise(resolve => socket.once('open', resolve))
  assert.equal(socket.protocol, 'graphql-transport-ws')
  socket.terminate()
})
