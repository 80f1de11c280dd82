// What an app is told: signed, in order, exactly what it may know, and again until it has it.
import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import { tidyUp } from '../../src/apps/housekeeping.ts'
import { housekeepingRules } from '../../src/apps/housekeeping-rules.ts'
import { reinstateApp, suspendApp } from '../../src/apps/stop.ts'
import { commandActor } from '../../src/audit/record-audit.ts'
import { sql } from '../../src/db/sql.ts'
import { disableByOwner, rotateSecret } from '../../src/webhooks/change-endpoint.ts'
import { replayOne, replaySince } from '../../src/webhooks/replay.ts'
import { sealingSecret } from '../../src/webhooks/secrets.ts'
import { settled } from '../changes/settled.ts'
import { makePendingApp } from '../support/apps.ts'
import { insertEvent } from '../support/events.ts'
import { insertMasjid } from '../support/masjids.ts'
import { startTestMinaret, TEST_SECRET, type TestMinaret } from '../support/minaret.ts'
import { within } from '../support/oauth.ts'
import { only, openReceiver, type Receiver, verify } from './receiver.ts'
import { deliveriesOf, letTimePass, makeEndpoint, PATIENCE_MS, untilPlanned, untilStates } from './use-webhooks.ts'

describe('a webhook', () => {
  let receiver: Receiver
  let minaret: TestMinaret
  before(async () => {
    receiver = await openReceiver()
    minaret = await startTestMinaret()
  })
  after(async () => {
    await minaret.stop()
    await receiver.close()
  })
  const database = () => minaret.service.database
  // Each test's changes concern its own endpoints only.
  afterEach(() => database().run(sql`delete from minaret.webhook_endpoints`))
  const until = (path: string, count: number): Promise<void> =>
    within(PATIENCE_MS, `${count} messages at ${path}`, async () => receiver.at(path).length >= count)

  test('tells what changed, signed as Standard Webhooks says, once for each change', async () => {
    const masjid = await insertMasjid(database())
    const { endpointId, secret } = await makeEndpoint(database(), { url: `${receiver.url}/told` })
    const event = await insertEvent(database(), masjid)
    await database().run(sql`update up_events set title = 'Iftar' where id = ${event}`)
    await until('/told', 2)
    const [inserted, updated] = receiver.at('/told')
    assert.ok(inserted && updated)
    for (const one of [inserted, updated]) verify(one, secret)
    assert.throws(() => verify({ ...inserted, body: `${inserted.body} ` }, secret))
    assert.equal(inserted.event.type, 'up_events.inserted')
    assert.equal(updated.event.type, 'up_events.updated')
    const { position, ...data } = updated.event.data
    assert.deepEqual(data, { table: 'up_events', masjid_id: masjid, key: { id: event }, kind: 'update' })
    assert.match(String(position), /^[0-9a-f]{10}-[0-9a-f]+-[0-9a-f]+$/)
    assert.equal(updated.headers['content-type'], 'application/json')
    const stored = await untilStates(database(), endpointId, ['delivered', 'delivered'])
    assert.deepEqual(
      stored.map(({ tries, body }) => [tries.length, tries[0]?.status, body]),
      [
        [1, 204, inserted.body],
        [1, 204, updated.body],
      ],
    )
    assert.equal(receiver.at('/told').length, 2)
    assert.equal((await deliveriesOf(database(), endpointId)).length, 2)
  })

  test('begins with its endpoint, whatever transactions were running then: nothing from before it, and all they did', async () => {
    const masjid = await insertMasjid(database())
    const { running, before, later, ...endpoint } = await database().transaction(async transaction => {
      const running = await insertEvent(transaction, masjid)
      const before = await insertEvent(database(), masjid)
      const made = await makeEndpoint(database(), { url: `${receiver.url}/begins`, masjids: [masjid] })
      return { ...made, running, before, later: await insertEvent(database(), masjid) }
    })
    await until('/begins', 2)
    await untilPlanned(database())
    const told = () => receiver.at('/begins').map(({ event }) => event.data.key?.id)
    assert.deepEqual(new Set(told()), new Set([running, later]))
    await untilStates(database(), endpoint.endpointId, ['delivered', 'delivered'])
    await replaySince(database(), { ...endpoint, actor: commandActor, since: new Date(0) })
    await within(PATIENCE_MS, 'the one from before it', async () => told().includes(before))
  })

  test('sends the rows of a saved query, read with what the app may read when it is sent', async () => {
    const masjid = await insertMasjid(database())
    const query = 'query ($id: uuid!) { up_events_by_pk(id: $id) { title } }'
    const { endpointId } = await makeEndpoint(database(), { url: `${receiver.url}/rows`, query, masjids: [masjid] })
    const event = await insertEvent(database(), masjid, { title: 'Before' })
    await insertEvent(database(), await insertMasjid(database()))
    await until('/rows', 1)
    const [first] = receiver.at('/rows')
    assert.deepEqual(first?.event.data.result, { data: { up_events_by_pk: { title: 'Before' } } })
    assert.equal(first?.event.data.key?.id, event)
    assert.equal((await untilStates(database(), endpointId, ['delivered']))[0]?.body, first?.body)
    await database().run(sql`
      update minaret.webhook_endpoints set query = '{ up_events(where: {nothing: {}}) { id } }' where id = ${endpointId}`)
    await database().run(sql`update up_events set title = 'After' where id = ${event}`)
    await until('/rows', 2)
    assert.match(JSON.stringify(receiver.at('/rows')[1]?.event.data.result), /"errors":.*unknown field \\"nothing/)
  })

  test('tells of people at the app’s own masjids alone: nothing elsewhere, nothing beyond its reach', async () => {
    const [own, other, beyond] = [
      await insertMasjid(database()),
      await insertMasjid(database()),
      await insertMasjid(database()),
    ]
    const { endpointId } = await makeEndpoint(database(), {
      url: `${receiver.url}/people`,
      tables: ['ua_members'],
      scopes: ['members:read'],
      reach: { only: [own, other], own: [own] },
      query: 'query ($masjid_id: uuid!) { ua_members(where: {masjid_id: {_eq: $masjid_id}}) { given_name } }',
    })
    for (const masjid of [beyond, other, own])
      await database().run(sql`
        insert into ua_members (masjid_id, given_name) values (${masjid}, 'Somebody private')`)
    await until('/people', 1)
    const [told, ...more] = receiver.at('/people').map(({ event }) => event.data)
    assert.deepEqual(more, [])
    assert.deepEqual([told?.masjid_id, told?.kind], [own, 'insert'])
    assert.ok(told?.key?.id)
    assert.deepEqual(told?.result, { data: { ua_members: [{ given_name: 'Somebody private' }] } })
    const stored = await untilStates(database(), endpointId, ['delivered'])
    assert.doesNotMatch(JSON.stringify(stored.map(({ body }) => body)), /private/)
    assert.match(String(stored[0]?.body), /rows about people are not kept/)
  })

  test('is not sent to an app that was suspended, or has lost the scope or the masjid', async () => {
    const masjid = await insertMasjid(database())
    receiver.answers.set('/lost', only(500))
    const tables = ['up_events', 'ua_members']
    const { appId, endpointId } = await makeEndpoint(database(), {
      url: `${receiver.url}/lost`,
      tables,
      scopes: ['events:read', 'members:read'],
      reach: { only: [masjid], own: [masjid] },
    })
    await insertEvent(database(), masjid)
    await until('/lost', 1)
    await untilStates(database(), endpointId, ['waiting'])
    await database().run(sql`insert into ua_members (masjid_id, given_name) values (${masjid}, 'Somebody')`)
    await untilStates(database(), endpointId, ['waiting', 'waiting'])
    receiver.answers.delete('/lost')
    await suspendApp(database(), { appId, actor: commandActor, reason: 'A key leaked.' })
    await letTimePass(database(), endpointId)
    await insertEvent(database(), masjid)
    await settled(database())
    await untilPlanned(database())
    assert.equal(receiver.at('/lost').length, 1)
    assert.equal((await deliveriesOf(database(), endpointId)).length, 2)
    await reinstateApp(database(), { appId, actor: commandActor })
    await database().run(sql`update minaret.apps set scopes = '{events:read}' where id = ${appId}`)
    await letTimePass(database(), endpointId)
    await until('/lost', 3)
    await untilStates(database(), endpointId, ['delivered', 'withheld', 'delivered'])
    assert.ok(receiver.at('/lost').every(({ event }) => event.data.table === 'up_events'))
    await database().run(sql`update minaret.apps set scopes = '{events:read,members:read}' where id = ${appId}`)
    await database().run(sql`delete from minaret.app_masjids where app_id = ${appId}`)
    await database().run(sql`insert into ua_members (masjid_id, given_name) values (${masjid}, 'Somebody else')`)
    await insertEvent(database(), masjid)
    await until('/lost', 4)
    assert.equal((await deliveriesOf(database(), endpointId)).length, 4)
  })

  test('is signed with the former secret too while the secret is changed', async () => {
    const masjid = await insertMasjid(database())
    const { appId, endpointId, secret } = await makeEndpoint(database(), { url: `${receiver.url}/rotated` })
    const owner = { appId, endpointId, actor: commandActor, sealing: sealingSecret([TEST_SECRET]) }
    const second = await rotateSecret(database(), owner)
    await insertEvent(database(), masjid)
    await until('/rotated', 1)
    const [both] = receiver.at('/rotated')
    assert.ok(both)
    for (const either of [secret, second]) verify(both, either)
    const third = await rotateSecret(database(), owner)
    await insertEvent(database(), masjid)
    await until('/rotated', 2)
    const [, later] = receiver.at('/rotated')
    assert.ok(later)
    for (const either of [second, third]) verify(later, either)
    assert.throws(() => verify(later, secret))
    await database().run(sql`
      update minaret.webhook_secrets set expires_at = now() where endpoint_id = ${endpointId} and expires_at is not null`)
    await insertEvent(database(), masjid)
    await until('/rotated', 3)
    const last = receiver.at('/rotated')[2]
    assert.ok(last)
    verify(last, third)
    assert.throws(() => verify(last, second))
  })

  test('comes in order for each masjid: what fails holds up what follows it there, and nothing elsewhere', async () => {
    const [stuck, free] = [await insertMasjid(database()), await insertMasjid(database())]
    receiver.answers.set('/order', (response, { event }) =>
      only(event.data.masjid_id === stuck ? 503 : 204)(response, event as never),
    )
    const { endpointId } = await makeEndpoint(database(), { url: `${receiver.url}/order` })
    const events: Record<string, string[]> = { [stuck]: [], [free]: [] }
    for (const masjid of [stuck, free, stuck, free, stuck, free])
      events[masjid]?.push(await insertEvent(database(), masjid))
    const keysAt = (masjid: string) =>
      receiver.at('/order').flatMap(({ event }) => (event.data.masjid_id === masjid ? [event.data.key?.id] : []))
    await within(PATIENCE_MS, 'everything of the other masjid', async () => keysAt(free).length >= 3)
    assert.deepEqual(keysAt(free), events[free])
    assert.deepEqual([...new Set(keysAt(stuck))], [events[stuck]?.[0]])
    receiver.answers.delete('/order')
    const tried = keysAt(stuck).length
    await letTimePass(database(), endpointId)
    await within(PATIENCE_MS, 'everything of the stuck masjid', async () => keysAt(stuck).length >= tried + 3)
    assert.deepEqual(keysAt(stuck).slice(tried), events[stuck])
    const ids = receiver.at('/order').filter(({ event }) => event.data.key?.id === events[stuck]?.[0])
    assert.equal(new Set(ids.map(({ id }) => id)).size, 1, 'the same webhook-id in every attempt')
  })

  test('says so when the change log no longer has everything', async () => {
    const masjid = await insertMasjid(database())
    const { endpointId } = await makeEndpoint(database(), { url: `${receiver.url}/gap` })
    await database().run(sql`update minaret.webhook_endpoints set xid = '1' where id = ${endpointId}`)
    const gaps = () => receiver.at('/gap').filter(({ event: { type } }) => type === 'minaret.gap').length
    await within(PATIENCE_MS, 'the gap', async () => gaps() === 1)
    const event = await insertEvent(database(), masjid)
    const told = () => receiver.at('/gap').some(({ event: { data } }) => data.key?.id === event)
    await within(PATIENCE_MS, 'what came after the gap', async () => told())
    assert.equal(gaps(), 1)
    await database().run(sql`update minaret.webhook_endpoints set history = 'another' where id = ${endpointId}`)
    await within(PATIENCE_MS, 'a restored database', async () => gaps() === 2)
  })

  test('takes no more from the change log than it can send soon', async () => {
    const masjid = await insertMasjid(database())
    receiver.answers.set('/full', only(500))
    const { endpointId } = await makeEndpoint(database(), { url: `${receiver.url}/full` })
    await database().transaction(async transaction => {
      for (let count = 0; count < 210; count += 1) await insertEvent(transaction, masjid)
    })
    await within(PATIENCE_MS, '200 wait', async () => (await deliveriesOf(database(), endpointId)).length === 200)
    await settled(database())
    await untilPlanned(database())
    assert.equal((await deliveriesOf(database(), endpointId)).length, 200)
    receiver.answers.delete('/full')
    await letTimePass(database(), endpointId)
    await within(PATIENCE_MS, 'all', async () => new Set(receiver.at('/full').map(({ id }) => id)).size === 210)
  })

  test('is sent again when its owner asks, with the same id: one, or all since a moment', async () => {
    const masjid = await insertMasjid(database())
    const wishes = { url: `${receiver.url}/again`, masjids: [masjid] }
    const { appId, endpointId } = await makeEndpoint(database(), wishes)
    const owner = { appId, endpointId, actor: commandActor }
    await insertEvent(database(), masjid)
    await untilStates(database(), endpointId, ['delivered'])
    const since = new Date(Date.now() - 60_000)
    await insertEvent(database(), masjid)
    const [first] = await untilStates(database(), endpointId, ['delivered', 'delivered'])
    await replayOne(database(), { ...owner, deliveryId: String(first?.id) })
    await until('/again', 3)
    await untilStates(database(), endpointId, ['delivered', 'delivered'])
    const ids = () => receiver.at('/again').map(({ id }) => id)
    assert.equal(ids()[2], ids()[0])
    await replaySince(database(), { ...owner, since })
    await until('/again', 5)
    assert.deepEqual(ids().slice(3), ids().slice(0, 2))
    await untilStates(database(), endpointId, ['delivered', 'delivered'])
    await replaySince(database(), { ...owner, since: new Date(Date.now() + 60_000) })
    await untilPlanned(database())
    await untilStates(database(), endpointId, ['delivered', 'delivered'])
    assert.equal(receiver.at('/again').length, 5)
    await disableByOwner(database(), owner)
    await assert.rejects(replaySince(database(), { ...owner, since }), { code: 'webhook_refused' })
  })

  const databaseTime = async () => {
    const row = await database().first<{ now: Date }>(sql`select now()`)
    return row?.now ?? new Date()
  }
  const keysAt = (path: string, masjid?: string) =>
    receiver
      .at(path)
      .flatMap(({ event: { data } }) => (masjid === undefined || data.masjid_id === masjid ? [data.key?.id] : []))

  test('is sent again for every change in the log since a moment: those never sent, forgotten, or withheld too', async () => {
    const [masjid, elsewhere] = [await insertMasjid(database()), await insertMasjid(database())]
    const since = await databaseTime()
    const early = [await insertEvent(database(), masjid), await insertEvent(database(), masjid)]
    await settled(database())
    const wishes = { url: `${receiver.url}/log`, masjids: [masjid] }
    const { appId, endpointId } = await makeEndpoint(database(), wishes)
    const owner = { appId, endpointId, actor: commandActor }
    const told = [
      await insertEvent(database(), masjid),
      await insertEvent(database(), masjid),
      await insertEvent(database(), masjid),
    ]
    await insertEvent(database(), elsewhere)
    const deliveries = await untilStates(database(), endpointId, ['delivered', 'delivered', 'delivered'])
    await database().run(sql`delete from minaret.webhook_deliveries where id = ${deliveries[0]?.id}`)
    await database().run(sql`
      update minaret.webhook_deliveries set state = 'withheld', key = null where id = ${deliveries[1]?.id}`)
    const before = receiver.at('/log').length
    await replaySince(database(), { ...owner, since })
    await until('/log', before + 5)
    assert.deepEqual(keysAt('/log').slice(before), [...early, ...told])
    const ids = receiver.at('/log').map(({ id }) => id)
    assert.deepEqual(ids.slice(-2), ids.slice(1, 3), 'what is still kept has the id that it had')
    await untilPlanned(database())
    assert.equal(receiver.at('/log').length, before + 5, 'once')
  })

  test('is sent again in the order of the changes, also if some of them were still waiting, and new ones come last', async () => {
    const [stuck, free] = [await insertMasjid(database()), await insertMasjid(database())]
    const since = await databaseTime()
    const { appId, endpointId } = await makeEndpoint(database(), { url: `${receiver.url}/rewound` })
    const events: Record<string, string[]> = { [stuck]: [], [free]: [] }
    const add = async (masjid: string) => events[masjid]?.push(await insertEvent(database(), masjid))
    for (const masjid of [stuck, free, stuck]) await add(masjid)
    await until('/rewound', 3)
    receiver.answers.set('/rewound', (response, one) =>
      only(one.event.data.masjid_id === stuck ? 503 : 204)(response, one),
    )
    for (const masjid of [stuck, free, stuck]) await add(masjid)
    await within(PATIENCE_MS, 'one is refused, the other one arrives', async () => receiver.at('/rewound').length >= 5)
    await untilPlanned(database())
    // Nothing of it is on its way while the receiver recovers.
    await database().run(sql`
      update minaret.webhook_deliveries set next_attempt_at = 'infinity' where endpoint_id = ${endpointId} and state = 'waiting'`)
    const isSending = async () =>
      (await database().run(
        sql`select from minaret.webhook_endpoints where id = ${endpointId} and lease is not null`,
      )) > 0
    await within(PATIENCE_MS, 'nothing is being sent', async () => !(await isSending()))
    receiver.answers.delete('/rewound')
    const before = receiver.at('/rewound').length
    await replaySince(database(), { appId, endpointId, actor: commandActor, since })
    await add(stuck)
    await letTimePass(database(), endpointId)
    await within(PATIENCE_MS, 'everything', async () => receiver.at('/rewound').length >= before + 7)
    for (const masjid of [stuck, free]) {
      const again = receiver.at('/rewound').slice(before)
      const keys = again.flatMap(({ event: { data } }) => (data.masjid_id === masjid ? [data.key?.id] : []))
      assert.deepEqual([...new Set(keys)], events[masjid])
    }
  })

  test('that is given up leaves a gap, of which the receiver is told before anything later at that masjid', async () => {
    const [masjid, other] = [await insertMasjid(database()), await insertMasjid(database())]
    receiver.answers.set('/hole', (response, one) => only(one.event.type === 'minaret.gap' ? 204 : 500)(response, one))
    const { endpointId } = await makeEndpoint(database(), { url: `${receiver.url}/hole` })
    const lost = await insertEvent(database(), masjid)
    await until('/hole', 1)
    await database().run(sql`
      update minaret.webhook_deliveries set attempts = 10, first_attempt_at = '-infinity' where endpoint_id = ${endpointId}`)
    const [later, elsewhere] = [await insertEvent(database(), masjid), await insertEvent(database(), other)]
    await letTimePass(database(), endpointId)
    await within(PATIENCE_MS, 'the gap', async () =>
      receiver.at('/hole').some(({ event }) => event.type === 'minaret.gap'),
    )
    receiver.answers.delete('/hole')
    await within(PATIENCE_MS, 'what came later', async () => {
      await letTimePass(database(), endpointId)
      return keysAt('/hole').includes(later) && keysAt('/hole').includes(elsewhere)
    })
    const here = receiver.at('/hole').filter(({ event }) => event.data.masjid_id === masjid)
    const order = here.map(({ event }) => (event.type === 'minaret.gap' ? 'gap' : event.data.key?.id))
    assert.deepEqual([...new Set(order)], [lost, 'gap', later])
    const gap = here.find(({ event }) => event.type === 'minaret.gap')
    assert.match(String(gap?.event.data.position), /^[0-9a-f]{10}-/)
    const missed = await database().query<{ key: { id: string } }>(sql`
      select log.key from changes.log, changes.position_of(${gap?.event.data.position ?? ''}) after
      where (log.xid, log.id) > (after.xid, after.number) and log.masjid_id = ${masjid} and log.table_name = 'public.up_events'
      order by log.xid, log.id`)
    assert.deepEqual(
      missed.map(({ key }) => key.id),
      [lost, later],
      'from its position on, the log has what was lost',
    )
  })

  test('is forgotten after a week, dead after a month, and beyond 5,000', async () => {
    const { endpointId } = await makeEndpoint(database(), { url: 'https://nobody.invalid/' })
    const add = (state: string, days: number, many = 1) =>
      database().run(sql`
        insert into minaret.webhook_deliveries (endpoint_id, kind, state, ended_at)
        select ${endpointId}, 'gap', ${state}, now() - make_interval(days => ${days}) from generate_series(1, ${many}::int)`)
    await add('delivered', 6)
    for (const days of [8, 29, 31]) for (const state of ['delivered', 'dead']) await add(state, days)
    const tidy = () => tidyUp(database(), { rules: housekeepingRules.filter(({ table }) => /^webhook/.test(table)) })
    const removed = async () => (await tidy()).webhook_deliveries
    await within(PATIENCE_MS, 'the old ones are gone', async () => (await removed()) === 4)
    assert.deepEqual(
      (await deliveriesOf(database(), endpointId)).map(({ state }) => state),
      ['delivered', 'dead', 'dead'],
    )
    await add('delivered', 0, 5001)
    await within(PATIENCE_MS, 'the many', async () => (await removed()) === 4)
    const left = await deliveriesOf(database(), endpointId)
    assert.deepEqual([left.length, left.filter(({ state }) => state === 'dead').length], [5000, 0])
  })

  test('of the sandbox is about invented data, and works before the app is approved', async () => {
    const appId = await makePendingApp(database())
    await makeEndpoint(database(), { url: `${receiver.url}/test`, appId, environment: 'test' })
    await assert.rejects(makeEndpoint(database(), { url: `${receiver.url}/live`, appId }), {
      code: 'credential_refused',
    })
    await database().run(sql`insert into changes.log (table_name, kind) values ('sandbox.up_events', 'bulk')`)
    await until('/test', 1)
    assert.deepEqual(receiver.at('/test')[0]?.event.type, 'up_events.changed')
    await insertEvent(database(), await insertMasjid(database()))
    await settled(database())
    await untilPlanned(database())
    assert.equal(receiver.at('/test').length, 1)
  })
})
