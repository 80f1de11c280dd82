// A thief with the password adds everything that could keep the account for them. The owner takes it back, whole.
import assert from 'node:assert/strict'
import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { exportJWK, SignJWT } from 'jose'
import { setLogoutUri } from '../../../src/apps/backchannel-logout.ts'
import { revokeKey } from '../../../src/apps/keys.ts'
import { createSecret } from '../../../src/apps/secrets.ts'
import { setAppKeys } from '../../../src/apps/signing-keys.ts'
import { inviteToTeam } from '../../../src/apps/team/invitations.ts'
import { listMembers } from '../../../src/apps/team/members.ts'
import { invite } from '../../../src/capabilities/invitations.ts'
import { sql } from '../../../src/db/sql.ts'
import { createEndpoint, enableEndpoint } from '../../../src/webhooks/change-endpoint.ts'
import { sealingSecret } from '../../../src/webhooks/secrets.ts'
import { makeMasjid, visitAs } from '../../staff/use-staff.ts'
import { makeUser } from '../../support/apps.ts'
import { lastMailTo } from '../../support/mail.ts'
import { startTestMinaret, TEST_SECRET, type TestMinaret } from '../../support/minaret.ts'
import { postToken } from '../../support/oauth.ts'
import { type OtherProvider, startOtherProvider } from '../../support/other-provider.ts'
import { createPerson, type Person } from '../../support/person.ts'
import { addPasskey, createAuthenticator, signInWithPasskey } from '../../support/software-authenticator.ts'
import {
  actorOf,
  addApiKey,
  changeAddress,
  comeBack,
  enterAsThief,
  makeOwner,
  moveBack,
  nameLast,
  PAGE,
  signInOf,
} from './use-theft.ts'

let minaret: TestMinaret
let provider: OtherProvider

before(async () => {
  provider = await startOtherProvider()
  const { issuer, clientId, clientSecret } = provider
  const settings = [{ name: 'example', label: 'Example', issuer, clientId, clientSecret }]
  minaret = await startTestMinaret({ PROVIDERS: JSON.stringify(settings) })
  await provider.open(`${minaret.baseUrl}/sign-in/with/example/callback`)
})

after(async () => {
  await minaret?.stop()
  await provider?.close()
})

const database = () => minaret.service.database
const person = () => createPerson(minaret.baseUrl)

const travel = async (someone: Person, sub: string, page: string, action: string) => {
  const begun = await someone.submit(page, action, {})
  const { url } = await provider.visit(begun.location ?? '', { sub, email: `${sub}@example.org`, email_verified: true })
  return someone.get(url.href)
}

const link = (someone: Person, sub: string) =>
  travel(someone, sub, '/account/security', '/account/security/providers/example/link')

/** Whether that account there opens this account here. */
const opensBy = async (sub: string, email: string): Promise<boolean> => {
  const someone = person()
  await travel(someone, sub, '/sign-in', '/sign-in/with/example')
  return (await someone.get('/account')).text.includes(`>${email}<`)
}

const readsWith = async (key: string): Promise<number> => {
  const { status } = await fetch(`${minaret.baseUrl}/v1/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
    body: '{"query":"{ up_masjids(limit: 1) { id } }"}',
  })
  return status
}

const keyOf = (userId: string, appId: string) => addApiKey(database(), userId, appId)

const endpointOf = async (userId: string, appId: string, url: string) =>
  createEndpoint(database(), {
    appId,
    actor: actorOf(userId),
    environment: 'live',
    values: { url, description: '', tables: ['up_masjids'], masjids: null, query: null },
    sealing: sealingSecret([TEST_SECRET]),
  })

const stateOf = async (endpointId: string): Promise<string | undefined> =>
  (await database().first<{ state: string }>(sql`select state from minaret.webhook_endpoints where id = ${endpointId}`))
    ?.state

const makeSigner = async () => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const jwk = { ...(await exportJWK(publicKey)), kid: randomUUID(), alg: 'ES256', use: 'sig' }
  const tokenStatus = async (clientId: string): Promise<number> => {
    const assertion = await new SignJWT({ jti: randomUUID() })
      .setProtectedHeader({ alg: 'ES256', kid: jwk.kid })
      .setIssuer(clientId)
      .setSubject(clientId)
      .setAudience(minaret.baseUrl)
      .setIssuedAt()
      .setExpirationTime('1m')
      .sign(privateKey)
    const response = await postToken(minaret, {
      grant_type: 'client_credentials',
      scope: 'masjid:read',
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      client_assertion: assertion,
    })
    return response.status
  }
  return { jwks: { keys: [jwk] }, tokenStatus }
}

const logoutUriOf = async (appId: string) =>
  (
    await database().first<{ uri: string }>(
      sql`select backchannel_logout_uri as uri from minaret.apps where id = ${appId}`,
    )
  )?.uri

/** Invited by the owner's account, and on the team. */
const addToTeam = async (ownerId: string, appId: string, role: 'owner' | 'developer') => {
  const user = await makeUser(database(), { hashed: false })
  const inviter = { id: ownerId, name: 'The owner' }
  await inviteToTeam(database(), {
    appId,
    actor: actorOf(ownerId),
    app: 'App',
    inviter,
    email: user.email,
    role,
    language: 'en',
    baseUrl: minaret.baseUrl,
  })
  const path = (await lastMailTo(database(), user.email)).link
  const visitor = await visitAs(minaret, user)
  assert.equal((await visitor.submit(path, path, {})).status, 303)
  return { user, visitor }
}

const opensConsole = async (visitor: Person, appId: string): Promise<boolean> =>
  (await visitor.get(`/console/apps/${appId}/credentials`)).status === 200

const inviteToMasjid = async (ownerId: string, masjid: { id: string }, email: string): Promise<string> => {
  await invite(database(), {
    masjid: { id: masjid.id, name: 'Masjid' },
    email,
    capabilities: ['people'],
    user: { id: ownerId, name: 'The owner' },
    actor: actorOf(ownerId),
    language: 'en',
    baseUrl: minaret.baseUrl,
  })
  return (await lastMailTo(database(), email)).link
}

test('everything of a thief stops with the link, the owner’s own resumes, and what was replaced and removed comes back', async () => {
  const { owner, appId, clientId } = await makeOwner(database())
  const masjid = await makeMasjid(database())
  await database().run(sql`insert into public.ua_members (masjid_id, user_id, given_name, role, status)
    values (${masjid.id}, ${owner.id}, 'Amina', 'admin', 'active')`)
  const actor = actorOf(owner.id)

  // The owner, a year ago and ten days ago.
  const oldKey = await keyOf(owner.id, appId)
  await moveBack(database(), owner.id, '1 year')
  const first = person()
  await first.signIn(owner.email, 'a password for tests')
  const googleOfOwner = randomUUID()
  await link(first, googleOfOwner)
  const signer = await makeSigner()
  await setAppKeys(database(), { appId, actor, jwks: signer.jwks, jwksUri: null })
  await setLogoutUri(database(), { appId, uri: 'https://good.example/out', loopback: false, actor })
  const ownKey = await keyOf(owner.id, appId)
  const ownEndpoint = await endpointOf(owner.id, appId, 'https://good.example/hook')
  const colleague = await addToTeam(owner.id, appId, 'developer')
  const helper = await makeUser(database(), { hashed: false })
  const helperPath = await inviteToMasjid(owner.id, masjid, helper.email)
  const helping = await visitAs(minaret, helper)
  assert.equal((await helping.submit(helperPath, helperPath, {})).status, 303)
  await moveBack(database(), owner.id, '10 days')
  await first.get('/account')
  await database().run(sql`insert into minaret.sessions (token_hash, user_id, expires_at, created_at, user_agent, address)
    values (sha256(random()::text::bytea), ${owner.id}, now() + interval '1 day', now() - interval '9 days', 'Firefox', '192.0.2.7')`)
  const lastOwn = await signInOf(database(), owner.id, 1)

  // The thief.
  const thief = await enterAsThief(minaret, owner)
  const googleOfThief = randomUUID()
  await link(thief, googleOfThief)
  assert.ok(await opensBy(googleOfThief, owner.email))
  const phone = createAuthenticator(minaret.baseUrl)
  assert.equal((await addPasskey(thief, phone)).status, 200)
  const evil = await makeSigner()
  await setAppKeys(database(), { appId, actor, jwks: evil.jwks, jwksUri: null })
  await setLogoutUri(database(), { appId, uri: 'https://evil.example/out', loopback: false, actor })
  await createSecret(database(), { appId, actor })
  const evilKey = await keyOf(owner.id, appId)
  await revokeKey(database(), { appId, actor, keyId: oldKey.id })
  const evilEndpoint = await endpointOf(owner.id, appId, 'https://evil.example/hook')
  const accomplice = await addToTeam(owner.id, appId, 'owner')
  const accompliceKey = await keyOf(accomplice.user.id, appId)
  const late = await makeUser(database(), { hashed: false })
  await inviteToTeam(database(), {
    appId,
    actor,
    app: 'App',
    inviter: { id: owner.id, name: 'The owner' },
    email: late.email,
    role: 'owner',
    language: 'en',
    baseUrl: minaret.baseUrl,
  })
  const latePath = (await lastMailTo(database(), late.email)).link
  const lateAtMasjid = await inviteToMasjid(owner.id, masjid, late.email)
  const crony = await makeUser(database(), { hashed: false })
  const cronyPath = await inviteToMasjid(owner.id, masjid, crony.email)
  const cronying = await visitAs(minaret, crony)
  assert.equal((await cronying.submit(cronyPath, cronyPath, {})).status, 303)
  const people = `/staff/${masjid.slug}/people`
  assert.equal((await cronying.get(people)).status, 200)
  const oldLink = await changeAddress(minaret, thief, owner)
  assert.deepEqual(
    [await evil.tokenStatus(clientId), await readsWith(evilKey.key), await readsWith(accompliceKey.key)],
    [200, 200, 200],
  )

  const isRefused = async (): Promise<void> => {
    assert.equal(await opensBy(googleOfThief, owner.email), false, 'the linked provider')
    assert.equal((await thief.get('/account')).location, '/sign-in')
    assert.match((await signInWithPasskey(person(), phone)).location ?? '', /done=passkey_refused$/)
    assert.notEqual(await evil.tokenStatus(clientId), 200, 'the keys of the app')
    assert.deepEqual([await readsWith(evilKey.key), await readsWith(accompliceKey.key)], [401, 401], 'API keys')
    assert.equal(await stateOf(evilEndpoint.id), 'disabled', 'the webhook')
    await assert.rejects(
      enableEndpoint(database(), { appId, actor: actorOf(colleague.user.id), endpointId: evilEndpoint.id }),
      { code: 'account_taken_back' },
    )
    assert.notEqual(await logoutUriOf(appId), 'https://evil.example/out')
    assert.equal(await opensConsole(accomplice.visitor, appId), false, 'the second owner')
    for (const path of [latePath, lateAtMasjid])
      assert.equal((await (await visitAs(minaret, late)).get(path)).status, 410)
    assert.notEqual((await cronying.get(people)).status, 200, 'the capability')
  }

  const { back, stopped, entered } = await comeBack(minaret, oldLink, owner)
  assert.match(stopped.location ?? '', /^\/reset-password\?/)
  await isRefused()
  assert.equal(entered.location, PAGE, 'the owner is led to the question')
  const page = await back.get(PAGE)
  for (const words of [
    /Your account is yours again/,
    /API key/,
    /passkey/,
    /evil\.example\/hook/,
    /Firefox|192\.0\.2\.7/,
  ])
    assert.match(page.text, words)
  assert.equal(await readsWith(ownKey.key), 401, 'what is not known to be the owner’s is suspended too')
  assert.equal(await readsWith(oldKey.key), 401)

  assert.equal((await nameLast(back, lastOwn)).location, `${PAGE}?done=answered`)
  await isRefused()
  assert.deepEqual([await readsWith(ownKey.key), await readsWith(oldKey.key)], [200, 200], 'the removed key is back')
  assert.equal(await signer.tokenStatus(clientId), 200, 'the former keys are back')
  assert.equal(await logoutUriOf(appId), 'https://good.example/out')
  assert.equal(await stateOf(ownEndpoint.id), 'enabled')
  assert.ok(await opensBy(googleOfOwner, owner.email))
  assert.ok(await opensConsole(colleague.visitor, appId))
  assert.equal((await helping.get(people)).status, 200)
  const members = (await listMembers(database(), appId)).map(({ userId }) => userId)
  assert.deepEqual(members.sort(), [owner.id, colleague.user.id].sort())

  // One by one.
  const held = await database().first<{ id: string }>(sql`select id from minaret.account_acts
    where table_name = 'minaret.api_keys' and key ->> 'id' = ${evilKey.id} and act = 'added'`)
  assert.equal((await back.submit(PAGE, `${PAGE}/keep`, { ids: held?.id ?? '' })).location, `${PAGE}?done=kept`)
  assert.equal(await readsWith(evilKey.key), 200)
  assert.equal(await readsWith(accompliceKey.key), 401)
})
