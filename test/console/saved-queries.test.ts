import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../src/db/sql.ts'
import { visitAs } from '../staff/use-staff.ts'
import { makeApp } from '../support/apps.ts'
import { useMinaret } from '../support/minaret.ts'
import { makePerson } from '../support/oauth.ts'
import { createPerson, hiddenFieldsOf } from '../support/person.ts'

const minaret = useMinaret()

test('a team saves, lists, opens, replaces and deletes the queries of its app', async () => {
  const { database } = minaret().service
  const [owner, member] = [await makePerson(database), await makePerson(database)]
  const { id } = await makeApp(database, { ownerId: owner.id, scopes: ['masjid:read'] })
  await database.run(sql`
    insert into minaret.app_members (app_id, user_id, role) values (${id}, ${member.id}, 'developer')`)
  const [first, second] = [await visitAs(minaret(), owner), await visitAs(minaret(), member)]
  const path = `/console/apps/${id}/queries`
  const tokenOf = async (person: typeof first) => hiddenFieldsOf((await person.get('/explorer')).text, '/console/apps')
  const saved = { name: 'مساجد شيكاغو', query: '# ours\n{ up_masjids { id } }', variables: '{"a": 1}' }
  assert.equal((await first.post(path, { ...(await tokenOf(first)), ...saved })).status, 200)
  const { queries } = JSON.parse((await second.get(path)).text)
  assert.equal(queries.length, 1)
  assert.deepEqual([queries[0].name, queries[0].savedBy], [saved.name, owner.name])
  assert.deepEqual(JSON.parse((await second.get(`${path}/${queries[0].id}`)).text), saved)
  const changed = { ...saved, query: '{ up_events { id } }', variables: '' }
  const replaced = await second.post(path, { ...(await tokenOf(second)), ...changed })
  assert.equal(JSON.parse(replaced.text).queries[0].savedBy, member.name)
  assert.deepEqual(JSON.parse((await first.get(`${path}/${queries[0].id}`)).text), changed)
  const deleted = await second.post(`${path}/${queries[0].id}/delete`, await tokenOf(second))
  assert.deepEqual(JSON.parse(deleted.text), { queries: [] })
  assert.equal((await first.get(`${path}/${queries[0].id}`)).status, 404)
})

test('what a script asks for is not where one comes back to after signing in; the explorer is', async () => {
  const visitor = createPerson(minaret().baseUrl)
  const path = '/console/apps/7f2c3f6e-0000-4000-8000-000000000000/queries'
  await visitor.get(path, { 'sec-fetch-dest': 'empty' })
  assert.equal(visitor.cookies.has('minaret_return'), false)
  assert.equal((await visitor.get('/explorer/sign-in')).location, '/sign-in')
  const [kept = ''] = (visitor.cookies.get('minaret_return') ?? '').split('~')
  assert.equal(Buffer.from(kept, 'base64url').toString(), '/explorer')
})
