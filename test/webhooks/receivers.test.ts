// Receivers that fail in every way: each is tried again without holding up others, and none leads into our network.
import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import { commandActor } from '../../src/audit/record-audit.ts'
import { fromUrl } from '../../src/db/connection.ts'
import { sql } from '../../src/db/sql.ts'
import { withClient } from '../../src/db/with-client.ts'
import type { Dial } from '../../src/outbound/way.ts'
import { enableEndpoint } from '../../src/webhooks/change-endpoint.ts'
import { makeApp, makeUser } from '../support/apps.ts'
import { insertEvent } from '../support/events.ts'
import { insertMasjid } from '../support/masjids.ts'
import { startTestMinaret, type TestMinaret } from '../support/minaret.ts'
import { within } from '../support/oauth.ts'
import { certificate, openTlsServer, type TlsServer } from '../support/tls-server.ts'
import { only, openReceiver, type Receiver, verify } from './receiver.ts'
import { deliveriesOf, letTimePass, makeEndpoint, PATIENCE_MS, stateOf, untilStates } from './use-webhooks.ts'

describe('a receiver that', () => {
  let receiver: Receiver
  let tls: TlsServer
  let minaret: TestMinaret
  let masjid: string
  /** What the name of the TLS server resolves to. */
  let address = '127.0.0.1'
  before(async () => {
    receiver = await openReceiver()
    tls = await openTlsServer(receiver.listener)
    const dial: Dial = {
      resolve: async () => [{ address, family: address.includes(':') ? 6 : 4 }],
      mayReach: one => one === '127.0.0.1',
      timeoutMs: 20_000,
      connection: { port: tls.port, ca: certificate },
    }
    // A saved query whose table is locked is given up soon.
    const impatient = { REQUEST_DEADLINE_MS: '6000', STATEMENT_TIMEOUT_MS: '5000' }
    minaret = await startTestMinaret(impatient, { dial })
    masjid = await insertMasjid(database())
  })
  after(async () => {
    await minaret.stop()
    await tls.close()
    await receiver.close()
  })
  const database = () => minaret.service.database
  // Each test's changes concern its own endpoints only.
  afterEach(() => database().run(sql`delete from minaret.webhook_endpoints`))
  const follow = (path: string, url = receiver.url) =>
    makeEndpoint(database(), { url: `${url}${path}`, masjids: [masjid] })
  const tried = async (endpointId: string) => {
    await within(PATIENCE_MS, 'an attempt', async () => (await deliveriesOf(database(), endpointId))[0]?.attempts === 1)
    const [delivery] = await deliveriesOf(database(), endpointId)
    assert.ok(delivery)
    return { ...delivery, last: delivery.tries[0] }
  }

  test('fails is tried again later, with what it answered on record, until it accepts', async () => {
    receiver.answers.set('/failing', response => void response.writeHead(500).end('out of order'))
    const { endpointId, secret } = await follow('/failing')
    await insertEvent(database(), masjid)
    const { state, last, seconds } = await tried(endpointId)
    assert.deepEqual([state, last?.status, last?.excerpt], ['waiting', 500, 'out of order'])
    assert.ok(seconds < 5.6, String(seconds))
    assert.equal((await stateOf(database(), endpointId))?.failing, true)
    receiver.answers.delete('/failing')
    await letTimePass(database(), endpointId)
    const [delivery] = await untilStates(database(), endpointId, ['delivered'])
    assert.equal(delivery?.attempts, 2)
    assert.equal((await stateOf(database(), endpointId))?.failing, false)
    const [first, second] = receiver.at('/failing')
    assert.ok(first && second)
    assert.equal(first.id, second.id)
    for (const one of [first, second]) verify(one, secret)
  })

  test('hangs is given up, while another one is told at once', async () => {
    receiver.answers.set('/hanging', () => undefined)
    const hanging = await follow('/hanging')
    const quick = await follow('/quick')
    await insertEvent(database(), masjid)
    await within(PATIENCE_MS, 'it hangs', async () => receiver.at('/hanging').length === 1)
    await untilStates(database(), quick.endpointId, ['delivered'])
    assert.equal((await deliveriesOf(database(), hanging.endpointId))[0]?.attempts, 0, 'still in progress')
    assert.equal((await tried(hanging.endpointId)).last?.reason, 'too_slow')
  })

  test('sends forever has accepted: its status counts, and only the beginning is read', async () => {
    const closed = Promise.withResolvers<void>()
    receiver.answers.set('/forever', response => {
      response.writeHead(200)
      const piece = Buffer.alloc(64 * 1024, 'x')
      const pour = (): void => {
        while (response.writable && response.write(piece));
      }
      response.on('drain', pour).on('close', closed.resolve)
      pour()
    })
    const { endpointId } = await follow('/forever')
    await insertEvent(database(), masjid)
    const [delivery] = await untilStates(database(), endpointId, ['delivered'])
    await closed.promise
    assert.equal(delivery?.tries[0]?.excerpt, 'x'.repeat(2048))
  })

  test('redirects has failed, and nobody follows', async () => {
    receiver.answers.set('/moved', only(307, { location: `${receiver.url}/elsewhere` }))
    const { endpointId } = await follow('/moved')
    await insertEvent(database(), masjid)
    const { state, last } = await tried(endpointId)
    assert.deepEqual([state, last?.status], ['waiting', 307])
    assert.deepEqual(receiver.at('/elsewhere'), [])
  })

  test('answers 410 is disabled, its owner gets a mail, and it goes on where it stopped once it is enabled', async () => {
    const owner = await makeUser(database(), { hashed: false, language: 'ar' })
    const { id: appId } = await makeApp(database(), { ownerId: owner.id, scopes: ['events:read'] })
    receiver.answers.set('/gone', only(410))
    const values = { url: `${receiver.url}/gone`, masjids: [masjid], appId }
    const { endpointId } = await makeEndpoint(database(), values)
    await insertEvent(database(), masjid)
    await untilStates(database(), endpointId, ['dead', 'waiting'])
    assert.deepEqual(await stateOf(database(), endpointId), { state: 'disabled', because: 'gone', failing: true })
    const mails = await database().query<{ subject: string; text: string }>(
      sql`select subject, text from minaret.outbox where recipient = ${owner.email}`,
    )
    assert.equal(mails.length, 1)
    assert.match(String(mails[0]?.subject), /عُطّلت نقطة استقبال/)
    assert.match(String(mails[0]?.text), new RegExp(`/console/apps/${appId}/webhooks/${endpointId}`))
    const missed = await insertEvent(database(), masjid)
    receiver.answers.delete('/gone')
    await enableEndpoint(database(), { appId, endpointId, actor: commandActor })
    await untilStates(database(), endpointId, ['dead', 'delivered', 'delivered'])
    const [gap, last] = receiver.at('/gone').slice(-2)
    assert.deepEqual([gap?.event.type, gap?.event.data.masjid_id], ['minaret.gap', masjid])
    assert.equal(last?.event.data.key?.id, missed)
  })

  test('fails for three days is given up and disabled; one that accepts something else meanwhile is not', async () => {
    receiver.answers.set('/dead', only(500))
    const other = await insertMasjid(database())
    const { endpointId } = await makeEndpoint(database(), { url: `${receiver.url}/dead` })
    const lastAttempt = async () => {
      await tried(endpointId)
      await database().run(sql`update minaret.webhook_deliveries set attempts = 10 where endpoint_id = ${endpointId}`)
    }
    await insertEvent(database(), masjid)
    await lastAttempt()
    receiver.answers.set('/dead', (response, one) =>
      only(one.event.data.masjid_id === other ? 204 : 500)(response, one),
    )
    await insertEvent(database(), other)
    await untilStates(database(), endpointId, ['waiting', 'delivered'])
    await letTimePass(database(), endpointId)
    await untilStates(database(), endpointId, ['dead', 'delivered', 'waiting'])
    assert.equal((await stateOf(database(), endpointId))?.state, 'enabled')
    receiver.answers.set('/dead', only(500))
    await database().run(sql`delete from minaret.webhook_deliveries where endpoint_id = ${endpointId}`)
    await database().run(sql`update minaret.webhook_endpoints set failing_since = null where id = ${endpointId}`)
    await insertEvent(database(), masjid)
    await lastAttempt()
    await letTimePass(database(), endpointId)
    await untilStates(database(), endpointId, ['dead', 'waiting'])
    assert.deepEqual(await stateOf(database(), endpointId), { state: 'disabled', because: 'failing', failing: true })
  })

  test('moves to a private address is not reached any more', async () => {
    const { endpointId } = await follow('/tls', 'https://logo.test')
    await insertEvent(database(), masjid)
    await untilStates(database(), endpointId, ['delivered'])
    assert.equal(receiver.at('/tls').length, 1)
    for (const inside of ['10.0.0.7', '169.254.169.254', '::1', '::ffff:10.0.0.7']) {
      address = inside
      await database().run(sql`delete from minaret.webhook_deliveries where endpoint_id = ${endpointId}`)
      await insertEvent(database(), masjid)
      assert.equal((await tried(endpointId)).last?.reason, 'not_public', inside)
    }
    assert.equal(receiver.at('/tls').length, 1)
    address = '127.0.0.1'
    await letTimePass(database(), endpointId)
    await untilStates(database(), endpointId, ['delivered'])
  })

  for (const [word, status] of [
    ['refuses', 500],
    ['accepts', 204],
  ] as const)
    test(`${word} something can be deleted while that is being recorded`, async () => {
      let answer = (): void => undefined
      receiver.answers.set('/deleted', response => {
        answer = () => void response.writeHead(status).end()
      })
      const { endpointId } = await follow('/deleted')
      const before = receiver.at('/deleted').length
      await insertEvent(database(), masjid)
      await within(PATIENCE_MS, 'it is sent', async () => receiver.at('/deleted').length > before)
      await withClient(fromUrl(minaret.databaseUrl), async client => {
        // Whoever notices a deadlock first is the one that fails.
        await client.query("set deadlock_timeout = '10ms'; begin")
        await client.query('select from minaret.webhook_endpoints where id = $1 for update', [endpointId])
        answer()
        const waiting = sql`select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()
          and query like '%webhook_endpoints%'`
        await within(PATIENCE_MS, 'it is to be recorded', async () => (await database().run(waiting)) > 0)
        await client.query('delete from minaret.webhook_endpoints where id = $1', [endpointId])
        await client.query('commit')
      })
    })

  test('wants rows that cannot be read now gets them later, and nothing until then', async () => {
    const query = '{ ua_campaigns(limit: 1) { id } }'
    const values = { url: `${receiver.url}/rows`, masjids: [masjid], query }
    const { endpointId } = await makeEndpoint(database(), { ...values, scopes: ['events:read', 'donations:read'] })
    receiver.answers.set('/rows', only(500))
    await insertEvent(database(), masjid)
    await tried(endpointId)
    receiver.answers.delete('/rows')
    await withClient(fromUrl(minaret.databaseUrl), async client => {
      await client.query('begin; lock table ua_campaigns in access exclusive mode')
      await letTimePass(database(), endpointId)
      const reason = async () => (await deliveriesOf(database(), endpointId))[0]?.tries[1]?.reason
      await within(PATIENCE_MS, 'the query was given up', async () => (await reason()) === 'query')
      await client.query('rollback')
    })
    assert.equal(receiver.at('/rows').length, 1)
    await letTimePass(database(), endpointId)
    await untilStates(database(), endpointId, ['delivered'])
    assert.deepEqual(receiver.at('/rows')[1]?.event.data.result, { data: { ua_campaigns: [] } })
  })
})
