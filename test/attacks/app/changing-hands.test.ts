// A masjid changes hands while everything about it is warm, in two processes: its name in addresses goes to another masjid, its app to
// another owner, its administration to another person. Who had it before gets nothing more of it from anybody's memory.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { dataScopes } from '../../../src/access/scopes.ts'
import { changeMasjids, type MasjidChoice } from '../../../src/apps/masjids.ts'
import { commandActor } from '../../../src/audit/record-audit.ts'
import { sql } from '../../../src/db/sql.ts'
import { idOf } from '../../graphql/relay/use-relay.ts'
import { follow } from '../../live/events.ts'
import { makeShownMasjid } from '../../masjid/use-masjid-page.ts'
import type { Masjid } from '../../staff/use-staff.ts'
import { makeApp, makeKey } from '../../support/apps.ts'
import { startTestMinaret, type TestMinaret } from '../../support/minaret.ts'
import { type Flow, getTokens, makeFlow, within } from '../../support/oauth.ts'

let minaret: TestMinaret
let second: TestMinaret
let key = ''
let former: Masjid
let next: Masjid
const database = () => minaret.service.database

before(async () => {
  minaret = await startTestMinaret()
  former = await makeShownMasjid(minaret, { name: 'Alpha Masjid' })
  next = await makeShownMasjid(minaret, { name: 'Beta Masjid', latitude: 40, longitude: -74 })
  for (const [masjid, title] of [
    [former, 'Alpha lesson'],
    [next, 'Beta lesson'],
  ] as const)
    await database().run(sql`update up_events set title = ${title} where masjid_id = ${masjid.id}`)
  key = (
    await makeKey(database(), { appId: (await makeApp(database(), { scopes: dataScopes })).id, scopes: dataScopes })
  ).key
  second = await startTestMinaret({ DATABASE_URL: minaret.databaseUrl, BASE_URL: minaret.baseUrl })
})
after(async () => {
  await second.stop()
  await minaret.stop()
})
const processes = (): string[] => [minaret.baseUrl, `http://127.0.0.1:${second.service.port}`]

const read = async (url: string, { by = key, ...init }: RequestInit & { by?: string } = {}): Promise<string> => {
  const headers = { authorization: `Bearer ${by}`, 'content-type': 'application/json', ...init.headers }
  const response = await fetch(url, { redirect: 'manual', ...init, headers })
  return `${response.status} ${Buffer.from(await response.arrayBuffer()).toString('latin1')}`
}
const post = (base: string, query: string, { by = key, path = '/v1/graphql' } = {}): Promise<string> =>
  read(base + path, { by, method: 'POST', body: JSON.stringify({ query }) })
const hashed = (query: string): string => {
  const sha256Hash = createHash('sha256').update(query).digest('hex')
  return `${new URLSearchParams({ query, extensions: JSON.stringify({ persistedQuery: { version: 1, sha256Hash } }) })}`
}

const SLUG = 'changing-hands'
const bySlug = `{ up_masjids_by_slug(slug: "${SLUG}") { name events(limit: 5) { title } } }`
const bySlugFilter = `{ up_events(where: {masjid: {slug: {_eq: "${SLUG}"}}}) { title masjid { name } } }`
const page = (path: string) => (base: string) => read(`${base}/m/${SLUG}${path}`)
const today = new Date().toISOString().slice(0, 10)
const days = `from=${today}&days=60`

/** Everything that is found by the name. */
const named: Readonly<Record<string, (base: string) => Promise<string>>> = {
  'its page': page('?lang=en'),
  'its page in Arabic': page('?lang=ar'),
  'its widget': page('/widget'),
  'its picture': page('/og.png?lang=en'),
  'its calendar of events': page('/events.ics'),
  'its calendar of times': page('/prayer-times.ics'),
  'the feed of events': base => read(`${base}/v1/masjids/${SLUG}/events.ics?${days}`),
  'the table of events': base => read(`${base}/v1/masjids/${SLUG}/events.csv?${days}`),
  'the feed of times': base => read(`${base}/v1/masjids/${SLUG}/prayer-times.ics?from=${today}&days=10`),
  'the table of times': base => read(`${base}/v1/masjids/${SLUG}/prayer-times.csv?from=${today}&days=10`),
  'an answer': base => post(base, bySlug),
  'an answer by a filter': base => post(base, bySlugFilter),
  'an answer by GET': base => read(`${base}/v1/graphql?${new URLSearchParams({ query: bySlug })}`),
  'an answer by hash': base => read(`${base}/v1/graphql?${hashed(bySlugFilter)}`),
}

const handOver = async (from: Masjid, to: Masjid): Promise<void> =>
  void (await database().transaction(async transaction => {
    await transaction.run(sql`update up_masjids set slug = ${`former-${from.slug}`} where id = ${from.id}`)
    await transaction.run(sql`update up_masjids set slug = ${SLUG} where id = ${to.id}`)
  }))

test('a name that goes to another masjid shows that one at once, everywhere, and nothing of the former', async () => {
  await database().run(sql`update up_masjids set slug = ${SLUG} where id = ${former.id}`)
  const live = await follow({ url: `${minaret.baseUrl}/v1/graphql`, key, query: `subscription ${bySlug}` })
  await live.until(1)
  const warm = new Map<string, string>()
  for (const base of processes())
    for (const [what, ask] of Object.entries(named)) {
      for (let time = 0; time < 3; time += 1) warm.set(what + base, await ask(base))
      assert.match(warm.get(what + base) ?? '', /^200 /, what)
    }
  await handOver(former, next)
  for (const base of processes())
    for (const [what, ask] of Object.entries(named)) {
      const text = await ask(base)
      assert.match(text, /^200 /, what)
      assert.doesNotMatch(text, /Alpha/, what)
      assert.notEqual(text, warm.get(what + base), what)
    }
  await live.untilSo('the next one', ({ data }) => data.up_masjids_by_slug.name === 'Beta Masjid')
  assert.equal(live.results.at(-1).data.up_masjids_by_slug.events[0].title, 'Beta lesson')
  await live.close()
})

test('a masjid that is deleted is found by nothing that was warm, and its name by nobody', async () => {
  for (const base of processes()) for (const ask of Object.values(named)) await ask(base)
  await database().run(sql`update up_masjids set deleted_at = now() where id = ${next.id}`)
  for (const base of processes())
    for (const [what, ask] of Object.entries(named)) {
      const text = await ask(base)
      assert.doesNotMatch(text, /Beta|^200 [^{]/, what)
    }
  await database().run(sql`update up_masjids set deleted_at = null where id = ${next.id}`)
  assert.match(await post(minaret.baseUrl, bySlug), /Beta/)
})

const PEOPLE = '{ ua_members(order_by: {id: asc}) { given_name } }'
const addMember = async (masjid: Masjid, name: string): Promise<string> =>
  (
    await database().first<{ id: string }>(sql`
    insert into ua_members (masjid_id, given_name) values (${masjid.id}, ${name}) returning id`)
  )?.id ?? ''

/** Everything about people that somebody who looks after them is told. */
const people = (id: string): Readonly<Record<string, (base: string, by: string) => Promise<string>>> => ({
  'a list': (base, by) => post(base, PEOPLE, { by }),
  'a list by GET': (base, by) => read(`${base}/v1/graphql?${new URLSearchParams({ query: PEOPLE })}`, { by }),
  'a list through its masjid': (base, by) =>
    post(base, `{ up_masjids(where: {members: {given_name: {_like: "%"}}}) { members { given_name } } }`, { by }),
  'a row by its key': (base, by) => post(base, `{ ua_members_by_pk(id: "${id}") { given_name } }`, { by }),
  'a page of rows': (base, by) =>
    post(base, '{ ua_members_connection { edges { node { given_name } } } }', { by, path: '/v1/relay' }),
  'a node': (base, by) =>
    post(base, `{ node(id: "${idOf('ua_members', id)}") { ... on ua_members { given_name } } }`, {
      by,
      path: '/v1/relay',
    }),
})

describe('people', () => {
  test('of a masjid that is not an app’s own any more are shown to it no more, nor pushed', async () => {
    const id = await addMember(former, 'Hidden from the next')
    const choice = (masjid: Masjid): MasjidChoice => ({ only: [former.id, next.id], own: [masjid.id] })
    const app = await makeApp(database(), { scopes: dataScopes, masjids: choice(former) })
    const { key: by } = await makeKey(database(), { appId: app.id, scopes: dataScopes })
    const live = await follow({ url: `${minaret.baseUrl}/v1/graphql`, key: by, query: `subscription ${PEOPLE}` })
    await live.untilSo('the row', result => JSON.stringify(result).includes('Hidden'))
    for (const base of processes())
      for (const ask of Object.values(people(id)))
        for (let time = 0; time < 3; time += 1) assert.match(await ask(base, by), /Hidden/)
    await changeMasjids(database(), { appId: app.id, actor: commandActor, choice: choice(next) })
    for (const base of processes())
      for (const [what, ask] of Object.entries(people(id)))
        await within(60_000, `${what} is not told`, async () => !/Hidden/.test(await ask(base, by)))
    await live.untilSo('nothing of the former', ({ data }) => data?.ua_members.length === 0)
    const before = live.results.length
    await database().run(sql`update ua_members set given_name = 'Hidden again' where id = ${id}`)
    await addMember(next, 'Of the new one')
    await live.untilSo('the new ones', result => JSON.stringify(result).includes('Of the new one'))
    assert.doesNotMatch(JSON.stringify(live.results.slice(before)), /Hidden again/)
    await live.close()
  })

  test('of a masjid whose admin is another one now are that one’s to see and to write, at once', async () => {
    const id = await addMember(former, 'Looked after')
    const [old, fresh] = [await makeFlow(minaret), await makeFlow(minaret)]
    const tokenOf = async (flow: Flow): Promise<string> =>
      (await getTokens(minaret, flow, { scope: 'members:read masjid:read' })).access_token
    for (const [flow, role] of [
      [old, 'admin'],
      [fresh, 'member'],
    ] as const)
      await database().run(sql`
        insert into ua_members (masjid_id, user_id, given_name, role)
        values (${former.id}, ${flow.user.id}, 'Oneself', ${role}::ua_member_role)`)
    const [formerToken, freshToken] = [await tokenOf(old), await tokenOf(fresh)]
    const live = await follow({
      url: `${minaret.baseUrl}/v1/graphql`,
      key: formerToken,
      query: `subscription ${PEOPLE}`,
    })
    await live.untilSo('the row', result => JSON.stringify(result).includes('Looked after'))
    for (const base of processes())
      for (const ask of Object.values(people(id)))
        for (let time = 0; time < 2; time += 1) {
          assert.match(await ask(base, formerToken), /Looked after/)
          assert.doesNotMatch(await ask(base, freshToken), /Looked after/)
        }
    await database().transaction(async transaction => {
      for (const [flow, role] of [
        [fresh, 'admin'],
        [old, 'member'],
      ] as const)
        await transaction.run(sql`
          update ua_members set role = ${role}::ua_member_role where masjid_id = ${former.id} and user_id = ${flow.user.id}`)
    })
    for (const base of processes())
      for (const [what, ask] of Object.entries(people(id))) {
        assert.doesNotMatch(await ask(base, formerToken), /Looked after/, what)
        assert.match(await ask(base, freshToken), /Looked after/, what)
      }
    await live.untilSo('oneself alone', ({ data }) => data?.ua_members.length === 1)
    await live.close()
  })
})
