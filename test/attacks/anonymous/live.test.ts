// Open connections as a way to use up a process, and a browser's session as a credential.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import WebSocket from 'ws'
import { follow } from '../../live/events.ts'
import { openSocket, protocols } from '../../live/raw-socket.ts'
import { makeApp, makeKey } from '../../support/apps.ts'
import { useMinaret } from '../../support/minaret.ts'
import { makePerson, signIn, within } from '../../support/oauth.ts'

const PER_ADDRESS = 12
const minaret = useMinaret({ SUBSCRIPTIONS_PER_ADDRESS: String(PER_ADDRESS), RATE_LIMITS: 'on', SANDBOX_DATA: 'on' })

const PATIENCE_MS = 15_000
const sockets = (): string => `${minaret().baseUrl.replace('http', 'ws')}/v1/graphql`
const init = (payload: Record<string, unknown> = {}) => ({ type: 'connection_init', payload })

const handshake = async (protocol: string): Promise<number> => {
  const socket = new WebSocket(sockets(), protocol)
  socket.on('error', () => undefined)
  const refused = once(socket, 'unexpected-response').then(([, response]) => Number(response.statusCode))
  return Promise.race([refused, once(socket, 'open').then(() => 101)])
}

test('an address may only have so many sockets, and silent ones are closed', async () => {
  const either = (index: number): string => protocols[index % 2] ?? ''
  const statuses = await Promise.all(Array.from({ length: PER_ADDRESS * 3 }, (_, index) => handshake(either(index))))
  assert.equal(statuses.filter(status => status === 101).length, PER_ADDRESS)
  assert.equal(statuses.filter(status => status === 429).length, PER_ADDRESS * 2)
  await within(PATIENCE_MS, 'a place', async () => (await handshake('graphql-ws')) === 101)
})

const REFUSED = 1006

/** The code with which it is closed, once there is a place for it: those of the test before take a while to be closed. */
const closedWith = async (open: () => ReturnType<typeof openSocket>): Promise<number> => {
  let code = REFUSED
  await within(PATIENCE_MS, 'a place', async () => {
    code = (await (await open()).closed).code
    return code !== REFUSED
  })
  return code
}

test('neither cookies nor the URL count as a credential, from whatever origin', async () => {
  const { database } = minaret().service
  const cookie = await signIn(database, await makePerson(database))
  const app = await makeApp(database)
  const { key } = await makeKey(database, { appId: app.id })
  for (const [address, headers] of [
    [sockets(), { cookie }],
    [`${sockets()}?access_token=${key}&token=${key}&key=${key}`, {}],
  ] as const) {
    for (const protocol of protocols) {
      const wishes = { protocol, headers, origin: 'https://evil.example' }
      assert.equal(await closedWith(() => openSocket(address, [init()], wishes)), 4403)
    }
  }
  const response = await fetch(
    `${minaret().baseUrl}/v1/graphql?access_token=${key}&query=subscription{up_masjids{id}}`,
    {
      headers: { accept: 'text/event-stream', cookie },
    },
  )
  assert.equal(response.status, 401)
  await response.body?.cancel()
})

test('a message beyond the size of a request closes the socket', async () => {
  const large = init({ Authorization: 'x'.repeat(300 * 1024) })
  for (const protocol of protocols)
    assert.equal(await closedWith(() => openSocket(sockets(), [large], { protocol })), 1009)
})

test('the sandbox has subscriptions, twenty for an address', async () => {
  const url = `${minaret().sandboxUrl}/v1/graphql`
  const query = 'subscription { up_masjids(limit: 1, order_by: {name: asc}) { name } }'
  const open = await Promise.all(Array.from({ length: 20 }, () => follow({ url, query })))
  await Promise.all(open.map(one => one.until(1)))
  const refused = await follow({ url, query })
  assert.equal(refused.status, 429)
  const people = await follow({ url, query: 'subscription { ua_members { given_name } }' })
  assert.notEqual(people.status, 200)
  await Promise.all(open.map(one => one.close()))
})
