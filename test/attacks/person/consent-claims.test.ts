// What a person sees on the consent page is what they agree to, whatever happens between the page and the click.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../../src/db/sql.ts'
import { useMinaret } from '../../support/minaret.ts'
import {
  authorizeParameters,
  decide,
  type Flow,
  get,
  getAuthorize,
  getTokens,
  locationOf,
  makeFlow,
  makePerson,
  makePkce,
  postForm,
  readConsentForm,
  readTokens,
  refresh,
  signIn,
  userinfo,
  within,
} from '../../support/oauth.ts'

const minaret = useMinaret()

const give = (flow: Flow, claims: readonly string[]): Promise<number> =>
  minaret().service.database.run(sql`update minaret.apps set plain_claims = ${claims} where id = ${flow.app.id}`)

const plainQuestion = async (flow: Flow): Promise<URL> => {
  const parameters = authorizeParameters(flow.app, makePkce(), { scope: 'masjid:read' })
  return locationOf(await getAuthorize(minaret(), parameters, flow.cookie))
}

const pageOf = async (asked: URL, { cookie }: Flow): Promise<string> => (await get(asked.href, cookie)).text()

const agreed = async ({ user }: Flow): Promise<readonly string[] | undefined> =>
  (
    await minaret().service.database.first<{ claims: string[] }>(
      sql`select claims from minaret.consents where user_id = ${user.id}`,
    )
  )?.claims

test('a claim that was withheld while the page was shown is not agreed to, even if it is allowed again before the click', async () => {
  const flow = await makeFlow(minaret())
  const asked = await plainQuestion(flow)
  await give(flow, [])
  await within(1000, 'the page names no claims', async () => !(await pageOf(asked, flow)).includes('Email address'))
  await give(flow, ['email', 'name', 'picture'])
  await within(1000, 'a new request names them', async () =>
    (await pageOf(await plainQuestion(flow), flow)).includes('Email address'),
  )
  await decide(minaret(), asked, flow.cookie)
  assert.deepEqual(await agreed(flow), [])
})

test('a claim that is allowed after the request is not slipped into the consent page', async () => {
  const flow = await makeFlow(minaret())
  await give(flow, [])
  let asked = await plainQuestion(flow)
  await within(1000, 'a request without claims', async () => {
    asked = await plainQuestion(flow)
    return !(await pageOf(asked, flow)).includes('Email address')
  })
  await give(flow, ['email', 'name', 'picture'])
  await within(1000, 'a new request names them', async () =>
    (await pageOf(await plainQuestion(flow), flow)).includes('Email address'),
  )
  assert.ok(!(await pageOf(asked, flow)).includes('Email address'))
  await decide(minaret(), asked, flow.cookie)
  assert.deepEqual(await agreed(flow), [])
})

test('extra fields in the decision change nothing', async () => {
  const flow = await makeFlow(minaret())
  const parameters = authorizeParameters(flow.app, makePkce(), { scope: 'openid masjid:read' })
  const asked = locationOf(await getAuthorize(minaret(), parameters, flow.cookie))
  const form = { ...(await readConsentForm(await get(asked.href, flow.cookie))), decision: 'allow' }
  const added = { ...form, claims: 'email', scope: 'masjid:read', scopes: 'email' }
  assert.ok(
    locationOf(await postForm(`${minaret().baseUrl}/oauth/consent`, added, { cookie: flow.cookie })).searchParams.get(
      'code',
    ),
  )
  assert.deepEqual(await agreed(flow), [])
})

test('one person’s consent shows nothing about another', async () => {
  const flow = await makeFlow(minaret())
  const { database } = minaret().service
  await getTokens(minaret(), flow, { scope: 'masjid:read' })
  const other = await makePerson(database, 'Another Person')
  const theirs = { ...flow, user: other, cookie: await signIn(database, other) }
  const silent = authorizeParameters(flow.app, makePkce(), { scope: 'masjid:read', parameters: { prompt: 'none' } })
  const answer = locationOf(await getAuthorize(minaret(), silent, theirs.cookie))
  assert.equal(answer.searchParams.get('error'), 'consent_required')
})

test('after a withdrawal, the next consent starts from nothing', async () => {
  const flow = await makeFlow(minaret())
  const first = await getTokens(minaret(), flow, { scope: 'masjid:read' })
  await minaret().service.database.run(
    sql`update minaret.consents set withdrawn_at = now() where user_id = ${flow.user.id}`,
  )
  await within(1000, 'the token ends', async () => (await userinfo(minaret(), first.access_token)).status === 401)
  const next = await getTokens(minaret(), flow, { scope: 'openid masjid:read' })
  assert.deepEqual(await agreed(flow), [])
  const narrow = await readTokens(await refresh(minaret(), flow.app, next.refresh_token, 'masjid:read'))
  assert.deepEqual(await (await userinfo(minaret(), narrow.access_token)).json(), { sub: flow.user.id })
})

test('a click on a page that was left open for too long agrees to nothing', async () => {
  const flow = await makeFlow(minaret())
  const asked = await plainQuestion(flow)
  const form = { ...(await readConsentForm(await get(asked.href, flow.cookie))), decision: 'allow' }
  await minaret().service.database.run(sql`update minaret.authorization_requests set expires_at = now()`)
  const late = await postForm(`${minaret().baseUrl}/oauth/consent`, form, { cookie: flow.cookie })
  assert.equal(late.status, 400)
  assert.equal(await agreed(flow), undefined)
})

test('concurrent clicks on the pages of two requests agree to both, and each grant shows its own claims', async () => {
  const flow = await makeFlow(minaret())
  const parameters = authorizeParameters(flow.app, makePkce(), { scope: 'openid email' })
  const questions = [await plainQuestion(flow), locationOf(await getAuthorize(minaret(), parameters, flow.cookie))]
  await Promise.all(questions.map(asked => decide(minaret(), asked, flow.cookie)))
  assert.deepEqual([...((await agreed(flow)) ?? [])].sort(), ['email', 'name', 'picture'])
  const grants = await minaret().service.database.query<{ claims: string[] }>(sql`
    select claims from minaret.grants where user_id = ${flow.user.id} order by cardinality(claims)`)
  assert.deepEqual(grants, [{ claims: ['email'] }, { claims: ['email', 'name', 'picture'] }])
})
