// A developer uses webhooks to reach our network, to read what the app may not, or to get at somebody else's endpoint or secret.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { sql } from '../../../src/db/sql.ts'
import { FetchRefused } from '../../../src/outbound/fetch-refused.ts'
import { guardedPost, type Posting } from '../../../src/outbound/guarded-post.ts'
import { type Dial, publicDial } from '../../../src/outbound/way.ts'
import { makeApp, makeUser, PASSWORD } from '../../support/apps.ts'
import { insertMasjid } from '../../support/masjids.ts'
import { startTestMinaret, type TestMinaret } from '../../support/minaret.ts'
import { createPerson, type Person } from '../../support/person.ts'
import { certificate, openTlsServer, type TlsServer } from '../../support/tls-server.ts'
import { openReceiver, type Receiver } from '../../webhooks/receiver.ts'
import { deliveriesOf, makeEndpoint, untilPlanned } from '../../webhooks/use-webhooks.ts'

/** None of these is a public https address by name. */
const hostile = [
  'https://127.0.0.1/',
  'https://2130706433/',
  'https://0x7f.1/',
  'https://017700000001/',
  'https://[::1]/',
  'https://[::ffff:127.0.0.1]/',
  'https://[64:ff9b::7f00:1]/',
  'https://169.254.169.254/latest/meta-data',
  'https://hooks.example.org:8443/',
  'https://hooks.example.org:22/',
  'https://user:password@hooks.example.org/',
  'https://hooks.example.org@10.0.0.1/',
  'https:\\\\10.0.0.1\\',
  'http://hooks.example.org/',
  'http://10.0.0.1/',
  'http://localhost.evil.test/',
  'http://localhost@evil.test/',
  'http://127.0.0.1.nip.test/',
  'ftp://hooks.example.org/',
  'file:///etc/passwd',
  'gopher://hooks.example.org/',
  '//hooks.example.org/',
  'https://hooks.example.org/\u202e',
  'https://hooks.example.org/ x',
  'https://hooks.example.org/\r\nX-Injected: 1',
]

describe('where a webhook is posted', () => {
  let server: TlsServer
  let reached = 0
  before(async () => {
    server = await openTlsServer((_, response) => {
      reached += 1
      response.end()
    })
  })
  after(() => server.close())
  const posting = (address: string, loopback = false): Posting => ({
    address,
    purpose: 'webhook',
    headers: {},
    body: '{}',
    excerptBytes: 100,
    loopback,
    stopping: new AbortController().signal,
  })
  const dialing = (values: Partial<Dial>): Dial => ({
    ...publicDial,
    timeoutMs: 5000,
    connection: { port: server.port, ca: certificate },
    ...values,
  })
  const anywhere = () => dialing({ resolve: async () => [{ address: '127.0.0.1', family: 4 }], mayReach: () => true })

  test('is never an address without a public name, in whatever notation', async () => {
    assert.equal((await guardedPost(posting('https://logo.test/'), anywhere())).status, 200)
    reached = 0
    for (const address of [...hostile, 'http://localhost:3000/', 'http://127.0.0.1/'])
      await assert.rejects(guardedPost(posting(address), anywhere()), FetchRefused, address)
    for (const address of hostile)
      await assert.rejects(guardedPost(posting(address, true), anywhere()), FetchRefused, address)
    assert.equal(reached, 0)
  })

  test('is resolved once, and the connection goes to what was checked', async () => {
    let asked = 0
    const resolve = async () => {
      asked += 1
      return [{ address: asked === 1 ? '127.0.0.1' : '127.0.0.2', family: 4 }]
    }
    const dial = dialing({ resolve, mayReach: address => address === '127.0.0.1' })
    assert.equal((await guardedPost(posting('https://logo.test/'), dial)).status, 200)
    assert.equal(asked, 1)
    await assert.rejects(guardedPost(posting('https://logo.test/'), dial), { reason: 'not_public' })
    const both = async () => [
      { address: '93.184.215.14', family: 4 },
      { address: '::ffff:127.0.0.1', family: 6 },
    ]
    await assert.rejects(guardedPost(posting('https://logo.test/'), dialing({ resolve: both })), {
      reason: 'not_public',
    })
  })
})

describe('the console', () => {
  let minaret: TestMinaret
  let receiver: Receiver
  let attacker: Person
  let appId: string
  before(async () => {
    minaret = await startTestMinaret()
    receiver = await openReceiver()
    const { id, email } = await makeUser(database())
    appId = (await makeApp(database(), { ownerId: id, scopes: ['events:read'] })).id
    attacker = createPerson(minaret.baseUrl)
    await attacker.signIn(email, PASSWORD)
  })
  after(async () => {
    await minaret.stop()
    await receiver.close()
  })
  const database = () => minaret.service.database

  test('refuses each of these addresses, and so does the database', async () => {
    const form = `/console/apps/${appId}/webhooks/new`
    for (const url of hostile) {
      const { status, text } = await attacker.submit(form, form, { url, tables: 'up_events' })
      assert.equal(status, 422, url)
      assert.match(text, /Give an https address/)
    }
    for (const url of hostile.filter(one => !one.startsWith('https://') || /[@\s\u202e]/.test(one)))
      await assert.rejects(makeEndpoint(database(), { url, appId }), { code: '23514' }, url)
  })

  test('shows nobody the endpoint of another app, and changes nothing there', async () => {
    const victim = await makeEndpoint(database(), { url: `${receiver.url}/victim` })
    const before = await database().first(sql`select * from minaret.webhook_endpoints where id = ${victim.endpointId}`)
    const own = await attacker.get(`/console/apps/${appId}/webhooks/new`)
    const token = /name="anti_forgery" value="([^"]+)"/.exec(own.text)?.[1] ?? ''
    for (const app of [appId, victim.appId]) {
      const path = `/console/apps/${app}/webhooks/${victim.endpointId}`
      for (const rest of ['', '/edit', '/rotate', '/delete', '/deliveries/00000000-0000-0000-0000-000000000000'])
        assert.equal((await attacker.get(path + rest)).status, 404, path + rest)
      for (const rest of ['/edit', '/test', '/enable', '/disable', '/rotate', '/delete', '/replay']) {
        const fields = {
          anti_forgery: token,
          url: 'https://evil.test/',
          tables: 'up_events',
          since: '2026-01-01T00:00',
        }
        assert.equal((await attacker.post(path + rest, fields)).status, 404, path + rest)
      }
    }
    const now = await database().first(sql`select * from minaret.webhook_endpoints where id = ${victim.endpointId}`)
    assert.deepEqual({ ...now, xid: 0, number: 0 }, { ...before, xid: 0, number: 0 })
    assert.deepEqual(await deliveriesOf(database(), victim.endpointId), [])
  })

  test('gives no table beyond the scopes, and an endpoint that names one by other means gets nothing', async () => {
    const form = `/console/apps/${appId}/webhooks/new`
    assert.doesNotMatch((await attacker.get(form)).text, /ua_members|ua_donations/)
    const forged = await attacker.submit(form, form, { url: 'https://evil.test/', tables: 'ua_members' })
    assert.equal(forged.status, 422)
    const masjid = await insertMasjid(database())
    const { endpointId } = await makeEndpoint(database(), {
      url: `${receiver.url}/greedy`,
      appId,
      tables: ['ua_members'],
    })
    await database().run(sql`insert into ua_members (masjid_id, given_name) values (${masjid}, 'Somebody')`)
    await untilPlanned(database())
    assert.deepEqual(await deliveriesOf(database(), endpointId), [])
    assert.deepEqual(receiver.at('/greedy'), [])
  })

  test('keeps secrets sealed, out of every page but one, and out of the audit log', async () => {
    const form = `/console/apps/${appId}/webhooks/new`
    const { text } = await attacker.submit(form, form, { url: `${receiver.url}/mine`, tables: 'up_events' })
    const secret = /whsec_[\w+/=&#;]+/.exec(text)?.[0] ?? ''
    const bytes = Buffer.from(
      secret.replace('whsec_', '').replaceAll('&#61;', '=').replaceAll('&#43;', '+').replaceAll('&#47;', '/'),
      'base64',
    )
    assert.equal(bytes.length, 32)
    const endpoint = /\/webhooks\/([0-9a-f-]{36})/.exec(text)?.[1]
    for (const path of ['', `/${endpoint}`, `/${endpoint}/edit`, `/${endpoint}/rotate`])
      assert.doesNotMatch((await attacker.get(`/console/apps/${appId}/webhooks${path}`)).text, /whsec_/)
    const rows = await database().query<{ sealed: Buffer }>(sql`select sealed from minaret.webhook_secrets`)
    assert.ok(rows.length > 0 && rows.every(({ sealed }) => sealed.indexOf(bytes) === -1))
    const audit = await database().query(sql`select detail from minaret.audit_log where action like 'webhook.%'`)
    assert.doesNotMatch(JSON.stringify(audit), /whsec_/)
  })
})
