// Whoever looks at requests that are not theirs to see, or for what a request was about.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { removeMember } from '../../../src/apps/team/members.ts'
import { sql } from '../../../src/db/sql.ts'
import { visitAs } from '../../staff/use-staff.ts'
import { makeApp, makeKey } from '../../support/apps.ts'
import { useMinaret } from '../../support/minaret.ts'
import { makePerson, within } from '../../support/oauth.ts'
import { createPerson } from '../../support/person.ts'

const minaret = useMinaret()
const database = () => minaret().service.database

const makeTeam = async () => {
  const owner = await makePerson(database())
  const { id } = await makeApp(database(), { ownerId: owner.id, scopes: ['masjid:read'] })
  const { key } = await makeKey(database(), { appId: id })
  return { owner, id, key, page: `/console/apps/${id}/requests` }
}

const ask = async (key: string, query: string, variables = {}): Promise<void> => {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const body = JSON.stringify({ query, variables })
  await (await fetch(`${minaret().baseUrl}/v1/graphql`, { method: 'POST', headers, body })).text()
}

const writtenDown = async (appId: string): Promise<number> =>
  (
    await database().first<{ count: number }>(sql`
    select count(*)::int from minaret.tailed_requests where app_id = ${appId}`)
  )?.count ?? 0

const counted = async (appId: string): Promise<number> =>
  (
    await database().first<{ count: number }>(sql`
    select coalesce(sum(requests), 0)::int as count from minaret.usage_minutes where app_id = ${appId}`)
  )?.count ?? 0

test('the requests of an app are shown to its team alone, and to a removed member no more', async () => {
  const { owner, id, page } = await makeTeam()
  const other = await makeTeam()
  const member = await makePerson(database())
  await database().run(sql`
    insert into minaret.app_members (app_id, user_id, role) values (${id}, ${member.id}, 'viewer')`)
  const viewer = await visitAs(minaret(), member)
  assert.equal((await viewer.get(page)).status, 200)
  assert.equal((await (await visitAs(minaret(), other.owner)).get(page)).status, 404)
  const anonymous = await createPerson(minaret().baseUrl).get(page)
  assert.equal(anonymous.location, '/sign-in')
  const actor = { kind: 'user' as const, userId: owner.id, address: undefined }
  await removeMember(database(), { appId: id, userId: member.id, actor })
  assert.equal((await viewer.get(page)).status, 404)
})

test('requests are written down only while somebody looks, and nothing of what they were about', async () => {
  const { owner, id, key, page } = await makeTeam()
  await ask(key, '{ up_masjids(limit: 1) { id } }')
  await within(60_000, 'the request is counted', async () => (await counted(id)) === 1)
  // It is written down, or not, after it is counted; what another app asks now is counted after that.
  const other = await makeTeam()
  await ask(other.key, '{ up_masjids(limit: 1) { id } }')
  await within(60_000, 'the next request is counted', async () => (await counted(other.id)) === 1)
  assert.equal(await writtenDown(id), 0)
  const person = await visitAs(minaret(), owner)
  await person.get(page)
  const query = `query Find($name: String) { # about khadija
    up_masjids(limit: 2, where: {name: {_eq: "hush-hush"}, city: {_eq: $name}}) { id } }`
  await ask(key, query, { name: 'whispered' })
  await ask(key, '{ ua_members(where: {name: {_eq: "hush-hush"}}) { id } }')
  await within(60_000, 'both are written down', async () => (await writtenDown(id)) === 2)
  const { text } = await person.get(page)
  assert.match(text, /up_masjids\(limit: 2/)
  assert.match(text, /\/docs\/error-codes#validation-failed/)
  const rows = await database().query(sql`
    select r::text as line from minaret.tailed_requests r where app_id = ${id}
    union all select e::text from minaret.usage_errors e where app_id = ${id}`)
  for (const shown of [text, JSON.stringify(rows)]) assert.doesNotMatch(shown, /hush-hush|khadija|whispered|mk_live_/)
})
