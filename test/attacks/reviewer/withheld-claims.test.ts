// What a reviewer withholds stays withheld, and nobody gives claims to an app of their own.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../../src/db/sql.ts'
import { makePendingApp, makeUser, PASSWORD } from '../../support/apps.ts'
import { useMinaret } from '../../support/minaret.ts'
import { type Flow, getTokens, makeFlow, readTokens, refresh, userinfo, within } from '../../support/oauth.ts'
import { createPerson, hiddenFieldsOf, type Person } from '../../support/person.ts'

let reviewer: Person
let reviewerId: string
const minaret = useMinaret({}, async running => {
  const user = await makeUser(running.service.database, { isReviewer: true })
  reviewer = createPerson(running.baseUrl)
  reviewerId = user.id
  await reviewer.signIn(user.email, PASSWORD)
})

const plainClaims = async (appId: string): Promise<readonly string[] | undefined> =>
  (
    await minaret().service.database.first<{ plain_claims: string[] }>(
      sql`select plain_claims from minaret.apps where id = ${appId}`,
    )
  )?.plain_claims

const shown = async (token: string): Promise<string[]> =>
  Object.keys((await (await userinfo(minaret(), token)).json()) as object).sort()

const choose = (flow: Flow, claims: readonly string[]) => {
  const page = `/review/apps/${flow.app.id}`
  return reviewer.submit(page, `${page}/claims`, Object.fromEntries(claims.map(claim => ['claims', claim])))
}

test('the approval form has email, name and picture ticked; what is unticked is withheld', async () => {
  const id = await makePendingApp(minaret().service.database)
  const page = `/review/apps/${id}`
  const { text } = await reviewer.get(page)
  for (const claim of ['email', 'name', 'picture'])
    assert.match(text, new RegExp(`name="claims" value="${claim}" checked`), claim)
  const fields = { action: 'approve', scopes: 'masjid:read', reach: 'all', claims: 'name' }
  assert.equal((await reviewer.submit(page, `${page}/approve`, fields)).status, 303)
  assert.deepEqual(await plainClaims(id), ['name'])
})

test('a claim that is withheld after people agreed disappears from all their tokens', async () => {
  const flow = await makeFlow(minaret())
  const first = await getTokens(minaret(), flow, { scope: 'masjid:read' })
  assert.equal((await shown(first.access_token)).length, 5)
  assert.equal((await choose(flow, ['name'])).status, 303)
  await within(1000, 'only the name is left', async () => (await shown(first.access_token)).join(' ') === 'name sub')
  const next = await readTokens(await refresh(minaret(), flow.app, first.refresh_token))
  assert.deepEqual(await shown(next.access_token), ['name', 'sub'])
})

test('a person who agreed while claims were withheld shares none when they are allowed later', async () => {
  const flow = await makeFlow(minaret())
  await choose(flow, [])
  await within(1000, 'the client is narrowed', async () => {
    const { access_token: token } = await getTokens(minaret(), flow, { scope: 'masjid:read' })
    return (await shown(token)).length === 1
  })
  const { access_token: token } = await getTokens(minaret(), flow, { scope: 'masjid:read' })
  await choose(flow, ['email'])
  assert.deepEqual(await plainClaims(flow.app.id), ['email'])
  assert.deepEqual(await shown(token), ['sub'])
})

test('a reviewer cannot allow claims to their own app', async () => {
  const flow = await makeFlow(minaret(), { ownerId: reviewerId })
  await minaret().service.database.run(sql`update minaret.apps set plain_claims = '{}' where id = ${flow.app.id}`)
  const page = `/review/apps/${flow.app.id}`
  assert.match((await reviewer.get(page)).text, /Another reviewer must decide/)
  const elsewhere = `/review/apps/${(await makeFlow(minaret())).app.id}`
  const hidden = hiddenFieldsOf((await reviewer.get(elsewhere)).text, `${elsewhere}/claims`)
  assert.equal((await reviewer.post(`${page}/claims`, { ...hidden, claims: 'email' })).status, 403)
  assert.deepEqual(await plainClaims(flow.app.id), [])
})

test('a former reviewer cannot allow anything, even with a page opened before', async () => {
  const flow = await makeFlow(minaret())
  const { database } = minaret().service
  const user = await makeUser(database, { isReviewer: true })
  const dismissed = createPerson(minaret().baseUrl)
  await dismissed.signIn(user.email, PASSWORD)
  const page = `/review/apps/${flow.app.id}`
  const fields = hiddenFieldsOf((await dismissed.get(page)).text, `${page}/claims`)
  await database.run(sql`update minaret.apps set plain_claims = '{}' where id = ${flow.app.id}`)
  await database.run(sql`update minaret.users set is_reviewer = false where id = ${user.id}`)
  assert.equal((await dismissed.post(`${page}/claims`, { ...fields, claims: 'email' })).status, 403)
  assert.deepEqual(await plainClaims(flow.app.id), [])
})

test('the database accepts no other claims', async () => {
  const flow = await makeFlow(minaret())
  await assert.rejects(
    minaret().service.database.run(sql`
      update minaret.apps set plain_claims = '{email,phone}' where id = ${flow.app.id}`),
    /check/,
  )
})
