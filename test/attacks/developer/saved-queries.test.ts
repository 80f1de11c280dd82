// Whoever wants the saved queries of a team that is not theirs, or to fill the service with them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { User } from '../../../src/accounts/users.ts'
import { removeMember } from '../../../src/apps/team/members.ts'
import { sql } from '../../../src/db/sql.ts'
import { visitAs } from '../../staff/use-staff.ts'
import { makeApp } from '../../support/apps.ts'
import { useMinaret } from '../../support/minaret.ts'
import { makePerson } from '../../support/oauth.ts'
import { createPerson, hiddenFieldsOf, type Person, type Shown } from '../../support/person.ts'

const minaret = useMinaret()
const database = () => minaret().service.database

const QUERY = '{ up_masjids(limit: 1) { id } }'

const makeTeam = async () => {
  const owner = await makePerson(database())
  const { id } = await makeApp(database(), { ownerId: owner.id, scopes: ['masjid:read'] })
  return { owner, id, path: `/console/apps/${id}/queries` }
}

const addMember = async (appId: string, role: string): Promise<User> => {
  const user = await makePerson(database())
  await database().run(
    sql`insert into minaret.app_members (app_id, user_id, role) values (${appId}, ${user.id}, ${role})`,
  )
  return user
}

/** With the token of a page that everybody has. */
const post = async (person: Person, path: string, fields: Record<string, string> = {}): Promise<Shown> => {
  const { text } = await person.get('/account')
  return person.post(path, { ...hiddenFieldsOf(text, '/sign-out'), ...fields })
}

const save = (person: Person, path: string, fields: Record<string, string> = {}): Promise<Shown> =>
  post(person, path, { name: 'Ours', query: QUERY, variables: '', ...fields })

const idsOf = async (appId: string): Promise<string[]> =>
  (
    await database().query<{ id: string }>(sql`
      select id from minaret.saved_queries where app_id = ${appId} order by name`)
  ).map(({ id }) => id)

const onlyOne = async (appId: string): Promise<string> => {
  const [id = '', ...others] = await idsOf(appId)
  assert.equal(others.length, 0)
  return id
}

test('saved queries are for the team of their app alone: not for other developers, nor through an app of their own', async () => {
  const team = await makeTeam()
  assert.equal((await save(await visitAs(minaret(), team.owner), team.path)).status, 200)
  const id = await onlyOne(team.id)
  const other = await makeTeam()
  const stranger = await visitAs(minaret(), other.owner)
  for (const path of [team.path, `${team.path}/${id}`, `${other.path}/${id}`])
    assert.equal((await stranger.get(path)).status, 404, path)
  for (const path of [team.path, `${team.path}/${id}/delete`, `${other.path}/${id}/delete`])
    assert.equal((await save(stranger, path)).status, 404, path)
  assert.deepEqual(await idsOf(team.id), [id])
  assert.deepEqual(JSON.parse((await stranger.get(other.path)).text), { queries: [] })
})

test('nobody reads or changes saved queries without signing in, and no other site does it for them', async () => {
  const team = await makeTeam()
  const owner = await visitAs(minaret(), team.owner)
  await save(owner, team.path)
  const id = await onlyOne(team.id)
  const anonymous = createPerson(minaret().baseUrl)
  for (const path of [team.path, `${team.path}/${id}`]) assert.equal((await anonymous.get(path)).location, '/sign-in')
  for (const path of [team.path, `${team.path}/${id}/delete`])
    assert.equal((await anonymous.post(path, { name: 'x', query: QUERY })).location, '/sign-in')
  assert.equal((await owner.post(`${team.path}/${id}/delete`, {})).status, 403, 'without a token')
  const { text } = await owner.get('/account')
  const crossed = { 'sec-fetch-site': 'cross-site' }
  assert.equal((await owner.post(`${team.path}/${id}/delete`, hiddenFieldsOf(text, '/sign-out'), crossed)).status, 403)
  assert.deepEqual(await idsOf(team.id), [id])
})

test('a removed member reads, saves and deletes nothing from that moment on; what they saved stays', async () => {
  const team = await makeTeam()
  const member = await addMember(team.id, 'developer')
  const visitor = await visitAs(minaret(), member)
  assert.equal((await save(visitor, team.path)).status, 200)
  const id = await onlyOne(team.id)
  const actor = { kind: 'user' as const, userId: team.owner.id, address: undefined }
  await removeMember(database(), { appId: team.id, userId: member.id, actor })
  assert.equal((await visitor.get(team.path)).status, 404)
  assert.equal((await visitor.get(`${team.path}/${id}`)).status, 404)
  assert.equal((await save(visitor, team.path, { name: 'After' })).status, 404)
  assert.equal((await post(visitor, `${team.path}/${id}/delete`)).status, 404)
  const owner = await visitAs(minaret(), team.owner)
  assert.equal(JSON.parse((await owner.get(team.path)).text).queries.length, 1)
})

test('a viewer reads and changes nothing, whatever code asks the database', async () => {
  const team = await makeTeam()
  const viewer = await addMember(team.id, 'viewer')
  const visitor = await visitAs(minaret(), viewer)
  await save(await visitAs(minaret(), team.owner), team.path)
  const id = await onlyOne(team.id)
  assert.equal((await visitor.get(`${team.path}/${id}`)).status, 200)
  assert.equal((await save(visitor, team.path, { name: 'Mine' })).status, 403)
  assert.equal((await post(visitor, `${team.path}/${id}/delete`)).status, 403)
  const stranger = await makePerson(database())
  for (const user of [viewer, stranger])
    await assert.rejects(
      database().run(sql`
        insert into minaret.saved_queries (app_id, name, query, saved_by)
        values (${team.id}, 'Past the page', ${QUERY}, ${user.id})`),
      { code: 'MN012' },
    )
  assert.deepEqual(await idsOf(team.id), [id])
})

test('an app has at most 100 saved queries, also when they are saved at once; a known name replaces', async () => {
  const team = await makeTeam()
  await database().run(sql`
    insert into minaret.saved_queries (app_id, name, query, saved_by)
    select ${team.id}, 'Query ' || number, ${QUERY}, ${team.owner.id} from generate_series(1, 98) as number`)
  const owner = await visitAs(minaret(), team.owner)
  const { text } = await owner.get('/account')
  const token = hiddenFieldsOf(text, '/sign-out')
  const outcomes = await Promise.all(
    [1, 2, 3, 4, 5].map(number =>
      owner.post(team.path, { ...token, name: `At once ${number}`, query: QUERY, variables: '' }),
    ),
  )
  assert.deepEqual(outcomes.map(({ status }) => status).sort(), [200, 200, 409, 409, 409])
  assert.equal((await idsOf(team.id)).length, 100)
  assert.equal((await save(owner, team.path, { name: 'Query 7', query: '{ up_events { id } }' })).status, 200)
  assert.equal((await idsOf(team.id)).length, 100)
})

test('what is too large or empty is refused, by the service and by the database', async () => {
  const team = await makeTeam()
  const owner = await visitAs(minaret(), team.owner)
  for (const fields of [
    { name: 'x'.repeat(101) },
    { query: 'x'.repeat(20_001) },
    { variables: 'x'.repeat(10_001) },
    { name: '' },
    { name: '  ' },
    { query: ' \n' },
  ])
    assert.equal((await save(owner, team.path, fields)).status, 422, JSON.stringify(fields).slice(0, 40))
  assert.equal((await save(owner, team.path, { query: 'x'.repeat(3_000_000) })).status, 413)
  for (const [name, query, variables] of [
    ['x'.repeat(101), QUERY, ''],
    [' x', QUERY, ''],
    ['x', 'x'.repeat(20_001), ''],
    ['x', QUERY, 'x'.repeat(10_001)],
  ])
    await assert.rejects(
      database().run(sql`
        insert into minaret.saved_queries (app_id, name, query, variables, saved_by)
        values (${team.id}, ${name}, ${query}, ${variables}, ${team.owner.id})`),
      { code: '23514' },
    )
  assert.deepEqual(await idsOf(team.id), [])
})

test('markup in a name is only ever text: in the answer for the script, and in the page', async () => {
  const team = await makeTeam()
  const evil = '</script><img src=x onerror=alert(1)>'
  await database().run(sql`update minaret.apps set name = ${evil} where id = ${team.id}`)
  const owner = await visitAs(minaret(), team.owner)
  const saved = await save(owner, team.path, { name: evil })
  assert.equal(saved.headers.get('content-type'), 'application/json; charset=utf-8')
  assert.equal(saved.headers.get('x-content-type-options'), 'nosniff')
  assert.match(saved.headers.get('content-security-policy') ?? '', /default-src 'none'/)
  assert.equal(saved.headers.get('cache-control'), 'no-store')
  assert.equal(JSON.parse(saved.text).queries[0].name, evil)
  const { text } = await owner.get('/explorer')
  assert.doesNotMatch(text, /<img src=x/)
  assert.ok(text.includes('&#60;img src&#61;x'))
})
