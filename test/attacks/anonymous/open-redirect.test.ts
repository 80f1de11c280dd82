// Anybody can describe an app: the authorization endpoint must not carry people to a stranger's address (RFC 9700 section 4.11.2).
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from '../../../src/db/sql.ts'
import { documentFor, type MetadataHost, openMetadataHost } from '../../mcp/metadata-host.ts'
import { makeUser } from '../../support/apps.ts'
import { startTestMinaret, type TestMinaret } from '../../support/minaret.ts'
import {
  assertPage,
  authorizeParameters,
  get,
  getAuthorize,
  locationOf,
  makePerson,
  makePkce,
  postForm,
  readConsentForm,
  signIn,
} from '../../support/oauth.ts'

const CALLBACK = 'https://assistant.example.org/callback'
let host: MetadataHost
let minaret: TestMinaret
before(async () => {
  host = await openMetadataHost()
  minaret = await startTestMinaret({}, { dial: host.dial })
})
after(async () => {
  await minaret.stop()
  await host.close()
})

const describeApp = (name: string): string => {
  const clientId = `https://logo.test/${name}.json`
  host.serve(clientId, documentFor(clientId))
  return clientId
}

const parametersFor = (clientId: string, wishes: Record<string, string | undefined> = {}): URLSearchParams => {
  const app = { id: '', clientId, secret: '', redirectUri: CALLBACK }
  return authorizeParameters(app, makePkce(), { scope: 'openid masjid:read', parameters: wishes })
}

const open = (clientId: string, wishes: Record<string, string | undefined>, cookie = ''): Promise<Response> =>
  getAuthorize(minaret, parametersFor(clientId, wishes), cookie)

const faults: readonly Record<string, string | undefined>[] = [
  { scope: 'nonsense' },
  { response_type: 'token' },
  { state: undefined },
  { code_challenge: undefined },
  { code_challenge_method: 'plain' },
  { prompt: 'none' },
  { prompt: 'none', response_mode: 'form_post' },
  { scope: 'nonsense', response_mode: 'form_post' },
  { max_age: '-1' },
  { request: 'eyJ' },
  { id_token_hint: 'eyJ' },
]

const assertStop = async (response: Response, what: string): Promise<void> => {
  const copy = response.clone()
  await assertPage(response, what)
  const text = await copy.text()
  assert.match(text, /class="host" dir="ltr">logo\.test</, what)
  assert.ok(!text.includes('<script'), `${what}: nothing goes there by itself`)
  assert.ok(text.includes('assistant.example.org'), what)
}

const allow = async (clientId: string, cookie: string, decision = 'allow'): Promise<Response> => {
  const asked = locationOf(await open(clientId, {}, cookie))
  assert.equal(asked.pathname, '/consent')
  const form = { ...(await readConsentForm(await get(asked.href, cookie))), decision }
  return postForm(`${minaret.baseUrl}/oauth/consent`, form, { cookie })
}

test('an error of an unchecked app stops on a page that names its host, signed in or not', async () => {
  const clientId = describeApp('errors')
  const cookie = await signIn(minaret.service.database, await makePerson(minaret.service.database))
  for (const wishes of faults)
    for (const browser of ['', cookie]) await assertStop(await open(clientId, wishes, browser), JSON.stringify(wishes))
})

test('so does what another site posts, and what is resumed', async () => {
  const clientId = describeApp('posts')
  const post = (wishes: Record<string, string>) =>
    postForm(`${minaret.baseUrl}/oauth/authorize`, parametersFor(clientId, wishes))
  await assertStop(await post({ scope: 'nonsense' }), 'posted')
  const resumed = locationOf(await post({ prompt: 'none' }))
  await assertStop(await get(resumed.href), 'resumed')
  await assertStop(await get(resumed.href.replace('/oauth/authorize/resume', '/consent')), 'the consent page')
})

test('so does Deny', async () => {
  const clientId = describeApp('denied')
  const cookie = await signIn(minaret.service.database, await makePerson(minaret.service.database))
  await assertStop(await allow(clientId, cookie, 'deny'), 'denied')
})

test('whoever has allowed the app is sent back as usual, until they withdraw it; others are not', async () => {
  const { database } = minaret.service
  const clientId = describeApp('allowed')
  const user = await makePerson(database)
  const cookie = await signIn(database, user)
  assert.ok(locationOf(await allow(clientId, cookie)).searchParams.has('code'))
  const failed = locationOf(await open(clientId, { scope: 'nonsense' }, cookie))
  assert.equal(failed.origin + failed.pathname, CALLBACK)
  assert.equal(failed.searchParams.get('error'), 'invalid_scope')
  assert.ok(locationOf(await open(clientId, { prompt: 'none' }, cookie)).searchParams.has('code'))
  const other = await signIn(database, await makePerson(database))
  await assertStop(await open(clientId, { prompt: 'none' }, other), 'another person')
  await database.run(sql`update minaret.consents set withdrawn_at = now() where user_id = ${user.id}`)
  await assertStop(await open(clientId, { scope: 'nonsense' }, cookie), 'withdrawn')
})

test('an app whose host a reviewer approved gets its errors', async () => {
  const { database } = minaret.service
  const clientId = describeApp('approved')
  await open(clientId, {})
  const reviewer = await makeUser(database, { hashed: false, isReviewer: true })
  await database.run(sql`
    update minaret.app_hosts
    set state = 'approved', scopes = '{masjid:read}', decided_at = now(), decided_by = ${reviewer.id}
    where host = 'logo.test'`)
  const failed = locationOf(await open(clientId, { scope: 'nonsense' }))
  assert.equal(failed.origin + failed.pathname, CALLBACK)
})
