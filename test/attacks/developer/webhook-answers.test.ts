// A receiver of webhooks that answers to lead us elsewhere, to get more than it is told, or to keep us waiting for ever; and the owner
// of an app that was suspended, who goes on as if it were not.
import assert from 'node:assert/strict'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { after, before, test } from 'node:test'
import { setLogoutUri } from '../../../src/apps/backchannel-logout.ts'
import { deleteApp, reinstateApp, suspendApp } from '../../../src/apps/stop.ts'
import { commandActor } from '../../../src/audit/record-audit.ts'
import { sql } from '../../../src/db/sql.ts'
import { settled } from '../../changes/settled.ts'
import { makeApp, makeUser, PASSWORD } from '../../support/apps.ts'
import { insertEvent } from '../../support/events.ts'
import { insertMasjid } from '../../support/masjids.ts'
import { startTestMinaret, type TestMinaret } from '../../support/minaret.ts'
import { getTokens, makeClient, within } from '../../support/oauth.ts'
import { createPerson, type Person } from '../../support/person.ts'
import { only, openReceiver, type Receiver } from '../../webhooks/receiver.ts'
import {
  deliveriesOf,
  letTimePass,
  type MadeEndpoint,
  makeEndpoint,
  PATIENCE_MS,
  untilPlanned,
  untilStates,
} from '../../webhooks/use-webhooks.ts'

let minaret: TestMinaret
/** Where the answers lead. */
let inside: Receiver
/** Answers with bytes of the attacker's choosing. */
let hostile: Server
const asked: string[] = []

const head = (status: string, ...headers: string[]): string =>
  [`HTTP/1.1 ${status}`, ...headers, 'content-length: 0', '', ''].join('\r\n')
const elsewhere = (): string => `${inside.url}/followed`

/** What is answered, and how the attempt is recorded. */
const answers: Readonly<Record<string, readonly [() => string, string]>> = {
  'a permanent redirect': [() => head('301 Moved', `location: ${elsewhere()}`), 'waiting 301'],
  'a redirect to the addresses of a cloud': [
    () => head('302 Found', 'location: http://169.254.169.254/'),
    'waiting 302',
  ],
  'a redirect that asks for GET': [() => head('303 See Other', `location: ${elsewhere()}`), 'waiting 303'],
  'a choice of places': [() => head('300 Multiple', `location: ${elsewhere()}`), 'waiting 300'],
  'a redirect that keeps the body': [() => head('308 Moved', `location: ${elsewhere()}`), 'waiting 308'],
  'a redirect to itself': [() => head('307 Moved', 'location: /'), 'waiting 307'],
  'a proxy to use': [() => head('305 Use Proxy', `location: ${elsewhere()}`), 'waiting 305'],
  'a refresh': [() => head('200 OK', `refresh: 0; url=${elsewhere()}`), 'delivered 200'],
  'where something was created': [() => head('201 Created', `location: ${elsewhere()}`), 'delivered 201'],
  'another service for later': [() => head('200 OK', `alt-svc: h2="${new URL(inside.url).host}"`), 'delivered 200'],
  'hints to load early': [
    () => `HTTP/1.1 103 Early Hints\r\nlink: <${elsewhere()}>; rel=preload\r\n\r\n${head('204 No Content')}`,
    'delivered 204',
  ],
  'a question for credentials': [() => head('401 Unauthorized', 'www-authenticate: Basic'), 'waiting 401'],
  'another protocol, without another word': [
    () => 'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n',
    'waiting 101',
  ],
  'two answers': [() => head('500 No') + head('200 OK'), 'waiting 500'],
  'what is no answer': [() => 'OK\r\n\r\n', 'waiting unreachable'],
  'a line break in a header': [() => head('200 OK', 'x: a\rset-cookie: b=c'), 'waiting unreachable'],
}

const pathOf = (what: string): string => `/${what.replaceAll(/\W+/g, '-')}`

const answerTo = (socket: Socket): void => {
  socket.on('error', () => undefined)
  socket.once('data', bytes => {
    const path = bytes.toString('latin1').split(' ')[1] ?? ''
    asked.push(path)
    const found = Object.entries(answers).find(([what]) => pathOf(what) === path)
    socket.write(found?.[1][0]() ?? head('204 No Content'))
  })
}

before(async () => {
  inside = await openReceiver()
  hostile = createServer(answerTo)
  await new Promise<void>(resolve => hostile.listen(0, '127.0.0.1', resolve))
  minaret = await startTestMinaret()
})
after(async () => {
  await minaret.stop()
  await inside.close()
  await new Promise(resolve => hostile.close(resolve))
})
const database = () => minaret.service.database
const hostileUrl = (): string => `http://127.0.0.1:${(hostile.address() as AddressInfo).port}`

test('what a receiver answers leads nowhere, is tried again later, and holds up nobody', async () => {
  const masjid = await insertMasjid(database())
  const made = new Map<string, MadeEndpoint>()
  for (const what of Object.keys(answers))
    made.set(what, await makeEndpoint(database(), { url: hostileUrl() + pathOf(what), masjids: [masjid] }))
  await insertEvent(database(), masjid)
  const outcomeOf = async (what: string): Promise<string> => {
    const [delivery] = await deliveriesOf(database(), made.get(what)?.endpointId ?? '')
    const last = delivery?.tries.at(-1)
    return last === undefined ? 'not tried' : `${delivery?.state} ${last.status ?? last.reason}`
  }
  for (const [what, [, expected]] of Object.entries(answers)) {
    await within(PATIENCE_MS, `an attempt: ${what}`, async () => (await outcomeOf(what)) !== 'not tried')
    assert.equal(await outcomeOf(what), expected, what)
  }
  // One request for each, none of them to where the answers led, and nothing of the owner's with it.
  assert.deepEqual(asked.toSorted(), [...made.keys()].map(pathOf).toSorted())
  assert.deepEqual(inside.received, [])
  for (const { endpointId } of made.values()) await letTimePass(database(), endpointId)
  const honest = await makeEndpoint(database(), { url: `${inside.url}/honest`, masjids: [masjid] })
  await insertEvent(database(), masjid)
  await untilStates(database(), honest.endpointId, ['delivered'])
  await database().run(sql`delete from minaret.webhook_endpoints`)
})

test('one app that answers a sign-out with another protocol does not keep others from hearing of theirs', async () => {
  const tellAt = async (path: string) => {
    const app = await makeClient(database())
    const uri = hostileUrl() + path
    await setLogoutUri(database(), { appId: app.id, uri, loopback: true, actor: commandActor })
    const user = await makeUser(database())
    const browser = createPerson(minaret.baseUrl)
    await browser.signIn(user.email, PASSWORD)
    const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    await getTokens(minaret, { app, user, cookie })
    await browser.submit('/account', '/sign-out', {})
    await within(PATIENCE_MS, `${path} is told`, () => asked.includes(path))
  }
  asked.splice(0)
  await tellAt(pathOf('another protocol, without another word'))
  await tellAt('/told')
})

/** An app with a webhook that has something waiting; its owner is signed in. */
const suspendedApp = async (): Promise<MadeEndpoint & { owner: Person; masjid: string; path: string }> => {
  const { id: ownerId, email } = await makeUser(database())
  const app = await makeApp(database(), { ownerId, scopes: ['events:read'] })
  const masjid = await insertMasjid(database())
  const path = `/${app.clientId}`
  inside.answers.set(path, only(500))
  const made = await makeEndpoint(database(), { url: inside.url + path, appId: app.id, masjids: [masjid] })
  await insertEvent(database(), masjid)
  await within(
    PATIENCE_MS,
    'an attempt',
    async () => (await deliveriesOf(database(), made.endpointId))[0]?.attempts === 1,
  )
  inside.answers.delete(path)
  const owner = createPerson(minaret.baseUrl)
  await owner.signIn(email, PASSWORD)
  await suspendApp(database(), { appId: app.id, actor: commandActor, reason: 'A key leaked.' })
  return { ...made, owner, masjid, path }
}

test('nothing that the owner of a suspended app does has anything sent, and what waits is sent once it is reinstated', async () => {
  const { owner, masjid, path, appId, endpointId } = await suspendedApp()
  const page = `/console/apps/${appId}/webhooks/${endpointId}`
  const { text } = await owner.get(`/console/apps/${appId}/webhooks`)
  const token = /name="anti_forgery" value="([^"]+)"/.exec(text)?.[1] ?? ''
  const [waiting] = await deliveriesOf(database(), endpointId)
  const acts: Readonly<Record<string, Record<string, string>>> = {
    '/test': {},
    '/replay': { since: '2026-01-01T00:00' },
    [`/deliveries/${waiting?.id}/replay`]: {},
    '/edit': { url: `${inside.url}/edited`, tables: 'up_events' },
    '/disable': {},
    '/enable': {},
    '/rotate': {},
  }
  for (const [act, fields] of Object.entries(acts)) {
    const { status } = await owner.post(page + act, { anti_forgery: token, ...fields })
    assert.ok(status < 500, `${act}: ${status}`)
  }
  for (const environment of ['live', 'test']) {
    const fields = { anti_forgery: token, url: `${inside.url}/another`, tables: 'up_events', environment }
    const { status } = await owner.post(`/console/apps/${appId}/webhooks/new`, fields)
    assert.ok(status >= 400 && status < 500, `another endpoint: ${status}`)
    const direct = makeEndpoint(database(), { url: `${inside.url}/another`, appId, environment: environment as 'live' })
    await assert.rejects(direct, { code: 'credential_refused' })
  }
  await letTimePass(database(), endpointId)
  await insertEvent(database(), masjid)
  await settled(database())
  await untilPlanned(database())
  assert.equal(inside.at(path).length, 1)
  assert.deepEqual([...inside.at('/edited'), ...inside.at('/another')], [])
  await reinstateApp(database(), { appId, actor: commandActor })
  await letTimePass(database(), endpointId)
  await within(PATIENCE_MS, 'what waited', async () => inside.at(path).length > 1)
  await database().run(sql`delete from minaret.webhook_endpoints`)
})

for (const [what, stop] of [
  ['suspended', suspendApp],
  ['deleted', deleteApp],
] as const)
  test(`an app that is ${what} while a message is on its way is not told again`, async () => {
    const masjid = await insertMasjid(database())
    const path = `/while-${what}`
    const { promise: arrived, resolve } = Promise.withResolvers<() => void>()
    inside.answers.set(path, response => resolve(() => void response.writeHead(503).end()))
    const { appId, endpointId } = await makeEndpoint(database(), { url: inside.url + path, masjids: [masjid] })
    await insertEvent(database(), masjid)
    const answer = await arrived
    await stop(database(), { appId, actor: commandActor, reason: 'It must stop.' })
    answer()
    inside.answers.delete(path)
    await letTimePass(database(), endpointId)
    await insertEvent(database(), masjid)
    await untilPlanned(database())
    assert.equal(inside.at(path).length, 1)
  })
