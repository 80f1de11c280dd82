// Apps that want answers made for others out of memory: nobody gets what the database would not tell them now.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { dataScopes } from '../../../src/access/scopes.ts'
import { changeMasjids } from '../../../src/apps/masjids.ts'
import { commandActor } from '../../../src/audit/record-audit.ts'
import { useKept } from '../../answers/use-kept.ts'
import { masjidId } from '../../graphql/fixture.ts'
import { makeApp, makeKey } from '../../support/apps.ts'
import { within } from '../../support/oauth.ts'

const { api, bodyOf, factsOf, isHit, untilKept, run } = useKept()
const asKey = (key: string) => ({ authorization: `Bearer ${key}` })

describe('another view', () => {
  const EVENTS = '{ up_events(order_by: {id: asc}, limit: 3) { id title } }'

  test('a key without the scope is refused, however often others asked', async () => {
    await untilKept(EVENTS)
    const key = await api().keyWith(['masjid:read', 'prayer-times:read'])
    for (let count = 0; count < 3; count += 1) {
      const { data, errors } = await bodyOf(api().post({ query: EVENTS }, asKey(key)))
      assert.equal(data, undefined)
      assert.equal(errors[0].extensions.code, 'insufficient-scope')
    }
  })

  test('a revoked key is refused although its answer is kept', async () => {
    const key = await api().keyWith(dataScopes)
    await untilKept(EVENTS, asKey(key))
    await run(
      `update minaret.api_keys set revoked_at = now() where id = (select id from minaret.api_keys order by created_at desc limit 1)`,
    )
    await within(60_000, 'refused', async () => (await api().post({ query: EVENTS }, asKey(key))).status === 401)
  })

  test('rows of people are never shared between apps with different masjids', async () => {
    const { database } = api().minaret.service
    const query = '{ ua_members(order_by: {id: asc}) { id masjid_id } }'
    const keyFor = async (masjid: string) => {
      const app = await makeApp(database, { scopes: dataScopes, masjids: { only: [masjid], own: [masjid] } })
      return (await makeKey(database, { appId: app.id, scopes: dataScopes })).key
    }
    const [one, other] = [await keyFor(masjidId(1)), await keyFor(masjidId(2))]
    for (let count = 0; count < 4; count += 1)
      for (const [key, masjid] of [
        [one, masjidId(1)],
        [other, masjidId(2)],
      ] as const) {
        const { data, extensions } = await bodyOf(api().post({ query }, { ...asKey(key), 'x-minaret-explain': '1' }))
        assert.equal(extensions.cache.hit, false)
        assert.ok(data.ua_members.length > 0)
        for (const { masjid_id } of data.ua_members) assert.equal(masjid_id, masjid)
      }
  })

  test('an app whose masjids change gets the answer of its new ones', async () => {
    const { database } = api().minaret.service
    const app = await makeApp(database, { scopes: dataScopes, masjids: { only: [masjidId(1)], own: [masjidId(1)] } })
    const { key } = await makeKey(database, { appId: app.id, scopes: dataScopes })
    const query = '{ ua_members(order_by: {id: asc}) { masjid_id } }'
    for (let count = 0; count < 3; count += 1) await (await api().post({ query }, asKey(key))).text()
    const choice = { only: [masjidId(2)], own: [masjidId(2)] }
    await changeMasjids(database, { appId: app.id, actor: commandActor, choice })
    await within(60_000, 'its new masjids', async () => {
      const { data } = await bodyOf(api().post({ query }, asKey(key)))
      return data.ua_members.every((row: { masjid_id: string }) => row.masjid_id === masjidId(2))
    })
  })
})

describe('rules that change', () => {
  test('a policy that hides a row hides it at once', async () => {
    const query = `{ up_events(where: {masjid_id: {_eq: "${masjidId(4)}"}}) { id title } }`
    await run(`update up_events set title = 'Secret' where masjid_id = '${masjidId(4)}'`)
    await untilKept(query)
    await run(`create policy no_secrets on up_events as restrictive for select using (title <> 'Secret')`)
    const { data } = await bodyOf(api().post({ query }))
    assert.deepEqual(data.up_events, [])
    await run('drop policy no_secrets on up_events')
    const again = await bodyOf(api().post({ query }))
    assert.ok(again.data.up_events.length > 0)
  })

  test('a right that the reading role loses is not made up for by memory', async () => {
    const query = '{ up_masjids(order_by: {id: desc}, limit: 2) { id phone } }'
    await untilKept(query)
    await run(`do $$ begin execute format('comment on column up_masjids.phone is %L', '@hidden'); end $$`)
    await within(60_000, 'it is no field any more', async () => {
      const { errors } = await bodyOf(api().post({ query }))
      return errors?.[0]?.extensions.code === 'validation-failed'
    })
    assert.equal((await bodyOf(api().post({ query }))).data, undefined)
  })
})

/** FNV-1a, as the service has it: a request is taken for known if its bytes hash like one that came before. */
const hashOf = (text: string, start = 0x811c9dc5): number => {
  let hash = start
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return hash
}

test('requests that hash alike get answers of their own', async () => {
  const beginningFor = (masjid: number): string =>
    `{"query":"{ up_masjids_by_pk(id: \\"${masjidId(masjid)}\\") { id } } #`
  const endOf = (salt: number): string => `${salt}"}`
  const [first, second] = [beginningFor(1), beginningFor(2)]
  const [firstHash, secondHash] = [hashOf(first), hashOf(second)]
  const salts = new Map<number, number>()
  for (let salt = 0; salt < 200_000; salt += 1) salts.set(hashOf(endOf(salt), firstHash), salt)
  let found: readonly [string, string] | undefined
  for (let salt = 0; found === undefined && salt < 2_000_000; salt += 1) {
    const same = salts.get(hashOf(endOf(salt), secondHash))
    if (same !== undefined) found = [first + endOf(same), second + endOf(salt)]
  }
  const [one, other] = found ?? assert.fail('no two alike')
  const idIn = async (body: string): Promise<string> => (await bodyOf(api().post(body))).data.up_masjids_by_pk.id
  for (let count = 0; count < 3; count += 1) {
    assert.equal(await idIn(one), masjidId(1))
    assert.equal(await idIn(other), masjidId(2))
  }
})

test('nobody makes an answer be kept that others then get: explanations, headers and methods make other answers', async () => {
  const query = '{ up_masjids(order_by: {id: asc}, limit: 1) { id } }'
  await untilKept(query)
  const { hit } = await factsOf(query)
  assert.equal(typeof hit, 'boolean')
  const plain = await bodyOf(api().post({ query }))
  assert.equal(plain.extensions, undefined, 'no explanation that somebody else asked for')
  assert.equal(await isHit('{ up_masjids(order_by: {id: asc}, limit: 1) { id __typename } }'), false)
})
