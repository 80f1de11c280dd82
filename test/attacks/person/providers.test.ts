// Somebody wants to get into another's account by way of another provider: with an answer that is not theirs, or not true.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { sql } from '../../../src/db/sql.ts'
import { makeUser, PASSWORD } from '../../support/apps.ts'
import { type LyingProvider, startLyingProvider } from '../../support/lying-provider.ts'
import { startTestMinaret, type TestMinaret } from '../../support/minaret.ts'
import { createPerson, type Person, type Shown } from '../../support/person.ts'

let minaret: TestMinaret
let first: LyingProvider
let second: LyingProvider

before(async () => {
  ;[first, second] = await Promise.all([startLyingProvider(), startLyingProvider()])
  const settings = [first, second].map(({ issuer, clientId, clientSecret }, index) => ({
    name: ['first', 'second'][index],
    issuer,
    clientId,
    clientSecret,
  }))
  minaret = await startTestMinaret({ PROVIDERS: JSON.stringify(settings) })
})

after(async () => {
  await minaret?.stop()
  await Promise.all([first?.close(), second?.close()])
})

const database = () => minaret.service.database
const person = () => createPerson(minaret.baseUrl)

interface Asked {
  readonly state: string
  readonly nonce: string
}

const begin = async (someone: Person, { page = '/sign-in', action = '/sign-in/with/first' } = {}): Promise<Asked> => {
  const { location } = await someone.submit(page, action, {})
  const { searchParams } = new URL(location ?? '')
  return { state: searchParams.get('state') ?? '', nonce: searchParams.get('nonce') ?? '' }
}

interface Answer {
  readonly state: string
  readonly name?: string
  readonly iss?: string
  readonly more?: Record<string, string>
}

const answer = (someone: Person, { state, name = 'first', iss = first.issuer, more = {} }: Answer): Promise<Shown> =>
  someone.get(`/sign-in/with/${name}/callback?${new URLSearchParams({ code: 'code', state, iss, ...more })}`)

const somebody = () => {
  const sub = randomUUID()
  return { sub, email: `${sub}@example.org`, email_verified: true }
}

const isSignedIn = async (someone: Person): Promise<boolean> => (await someone.get('/account')).status === 200

const refused = '/sign-in?done=provider_refused'
const unknown = '/sign-in?done=provider_unknown'

/** Somebody signs in once, so that there is an account to get into. */
const member = async () => {
  const account = somebody()
  const owner = person()
  const { state, nonce } = await begin(owner)
  Object.assign(first, { says: { ...account, nonce }, forges: false })
  assert.equal((await answer(owner, { state })).location, '/account')
  return account
}

test('the honest answer works, once: neither the address nor the code is worth anything afterwards', async () => {
  const someone = person()
  const { state, nonce } = await begin(someone)
  first.says = { ...somebody(), nonce }
  assert.equal((await answer(someone, { state })).location, '/account')
  const redeemed = first.redeemed()
  assert.equal((await answer(someone, { state })).location, unknown)
  someone.cookies.delete('minaret_session')
  assert.equal((await answer(someone, { state })).location, unknown)
  assert.equal(first.redeemed(), redeemed, 'the code is not even sent')
})

test('of the same answer sent many times at once, one counts', async () => {
  const someone = person()
  const { state, nonce } = await begin(someone)
  first.says = { ...somebody(), nonce }
  const answers = await Promise.all([1, 2, 3, 4].map(() => answer(someone, { state })))
  assert.equal(answers.filter(({ location }) => location === '/account').length, 1)
})

test('login CSRF: an answer to a sign-in that began in another browser is refused', async () => {
  const account = await member()
  const [attacker, victim] = [person(), person()]
  const { state, nonce } = await begin(attacker)
  await victim.get('/sign-in')
  first.says = { ...account, nonce }
  assert.equal((await answer(victim, { state })).location, unknown)
  assert.equal(await isSignedIn(victim), false)
})

test('a made-up, swapped, cut or missing state is refused', async () => {
  const account = await member()
  const someone = person()
  const { state, nonce } = await begin(someone)
  first.says = { ...account, nonce }
  const flipped = `${state.slice(0, 40)}${state[40] === 'A' ? 'B' : 'A'}${state.slice(41)}`
  for (const wrong of ['', 'x', flipped, state.slice(0, -4), 'A'.repeat(5000)])
    assert.equal((await answer(someone, { state: wrong })).location, unknown, wrong.slice(0, 50))
  const twice = await someone.get(
    `/sign-in/with/first/callback?code=code&state=${state}&state=${state}&iss=${encodeURIComponent(first.issuer)}`,
  )
  assert.equal(twice.location, unknown)
  assert.equal(await isSignedIn(someone), false)
})

test('mix-up: the answer of one provider does not count for a sign-in that began at another', async () => {
  const account = await member()
  const someone = person()
  const begun = await begin(someone)
  second.says = { ...account, nonce: begun.nonce }
  const redeemed = second.redeemed()
  assert.equal((await answer(someone, { state: begun.state, name: 'second', iss: second.issuer })).location, unknown)
  assert.equal(second.redeemed(), redeemed, 'the code stays with us')
  first.says = { ...account, nonce: begun.nonce }
  const mixed = await answer(someone, { state: begun.state, iss: second.issuer })
  assert.equal(mixed.location, refused, 'RFC 9207: iss names who answered')
  assert.equal(await isSignedIn(someone), false)
})

test('the same subject at another provider is somebody else', async () => {
  const account = await member()
  const someone = person()
  const { state, nonce } = await begin(someone, { action: '/sign-in/with/second' })
  second.says = { sub: account.sub, nonce, email: 'other@example.net', email_verified: false }
  assert.equal((await answer(someone, { state, name: 'second', iss: second.issuer })).status, 403)
  assert.equal(await isSignedIn(someone), false)
})

test('an ID token with another nonce, audience, issuer, key, or past its time is refused', async () => {
  const account = await member()
  const earlier = await begin(person())
  const now = Math.floor(Date.now() / 1000)
  const lies: readonly (readonly [string, object, boolean?])[] = [
    ['the nonce of another sign-in', { nonce: earlier.nonce }],
    ['no nonce', { nonce: undefined }],
    ['for another client', { aud: 'somebody-else' }],
    ['for several clients, and not ours to present', { aud: ['minaret', 'other'], azp: 'other' }],
    ['of another issuer', { iss: second.issuer }],
    ['expired', { iat: now - 4000, exp: now - 3600 }],
    ['without a subject', { sub: undefined }],
    ['signed by somebody else', {}, true],
  ]
  for (const [what, lie, forges = false] of lies) {
    const someone = person()
    const { state, nonce } = await begin(someone)
    Object.assign(first, { says: { ...account, nonce, ...lie }, forges })
    assert.equal((await answer(someone, { state })).location, refused, what)
    assert.equal(await isSignedIn(someone), false, what)
  }
  first.forges = false
})

test('takeover by address: neither an unverified address nor a verified one opens the account that has it', async () => {
  const user = await makeUser(database())
  for (const [email_verified, status] of [
    [false, 403],
    [undefined, 403],
    ['false', 403],
    [true, 409],
  ] as const) {
    const someone = person()
    const { state, nonce } = await begin(someone)
    first.says = { sub: randomUUID(), nonce, email: user.email.toUpperCase(), email_verified }
    assert.equal((await answer(someone, { state })).status, status)
    assert.equal(await isSignedIn(someone), false)
  }
  const linked = await database().query(sql`select from minaret.linked_identities where user_id = ${user.id}`)
  assert.equal(linked.length, 0)
})

test('an account that waits for its address to be confirmed is not taken over either', async () => {
  const user = await makeUser(database(), { emailVerified: false })
  const someone = person()
  const { state, nonce } = await begin(someone)
  first.says = { sub: randomUUID(), nonce, email: user.email, email_verified: true }
  assert.equal((await answer(someone, { state })).status, 409)
  assert.equal(await isSignedIn(someone), false)
})

test('linking: the answer counts in the session that asked, and in no other', async () => {
  const [attacker, victim] = [await makeUser(database()), await makeUser(database())]
  const [evil, good] = [person(), person()]
  await evil.signIn(attacker.email, PASSWORD)
  await good.signIn(victim.email, PASSWORD)
  const link = { page: '/account/security', action: '/account/security/providers/first/link' }
  const { state, nonce } = await begin(evil, link)
  const account = somebody()
  first.says = { ...account, nonce }
  assert.equal((await answer(good, { state })).location, unknown, 'the attacker’s account is not linked to the victim')
  assert.equal((await answer(evil, { state })).location, '/account/security?done=provider_linked')
  const again = await begin(good, link)
  first.says = { ...account, nonce: again.nonce }
  assert.equal((await answer(good, { state: again.state })).location, '/account/security?done=provider_taken')
  const rows = await database().query<{ user_id: string }>(sql`
    select user_id from minaret.linked_identities where subject = ${account.sub}`)
  assert.deepEqual(rows, [{ user_id: attacker.id }])
  const moved = database().run(sql`
    update minaret.linked_identities set user_id = ${victim.id} where subject = ${account.sub}`)
  await assert.rejects(moved, { code: 'MN001' }, 'the database does not move it either')
})

test('a sign-in is no proof for linking, and a stolen stale session links nothing', async () => {
  const user = await makeUser(database())
  const someone = person()
  await someone.signIn(user.email, PASSWORD)
  const { state, nonce } = await begin(someone, {
    page: '/account/security',
    action: '/account/security/providers/first/link',
  })
  await database().run(sql`update minaret.sessions set fresh_at = now() - interval '1 hour' where user_id = ${user.id}`)
  first.says = { ...somebody(), nonce }
  assert.equal((await answer(someone, { state })).location, '/account/security?done=provider_unknown')
  const linked = await database().query(sql`select from minaret.linked_identities where user_id = ${user.id}`)
  assert.equal(linked.length, 0)
})

test('another person’s link cannot be removed, and nothing begins without our own form', async () => {
  const account = await member()
  const row = await database().first<{ id: string }>(sql`
    select id from minaret.linked_identities where subject = ${account.sub}`)
  const user = await makeUser(database())
  const someone = person()
  await someone.signIn(user.email, PASSWORD)
  const page = await someone.get('/account/security')
  const anti = /name="anti_forgery" value="([^"]*)"/.exec(page.text)?.[1] ?? ''
  const path = `/account/security/providers/${row?.id}/unlink`
  assert.equal((await someone.post(path, { anti_forgery: anti })).status, 404)
  for (const action of ['/sign-in/with/first', '/account/security/providers/first/link', '/sign-in/again/with/first'])
    assert.equal((await someone.post(action, {})).status, 403, action)
})

test('no parameter decides where the browser goes', async () => {
  const someone = person()
  const begun = await begin(someone)
  first.says = { ...somebody(), nonce: begun.nonce }
  const evil = 'https://evil.example'
  const more = { redirect_uri: evil, return: evil, request: evil, done: evil, user: `{"name":{"firstName":"${evil}"}}` }
  assert.equal((await answer(someone, { state: begun.state, more })).location, '/account')
  const posted = await fetch(`${minaret.baseUrl}/sign-in/with/..%2F..%2F%2Fevil.example/callback`, {
    method: 'POST',
    body: new URLSearchParams({ code: 'x', state: 'x', redirect_uri: evil }),
    redirect: 'manual',
  })
  assert.match(posted.headers.get('location') ?? '', /^\/sign-in\/with\/[^/]*\/callback\?code=x&state=x$/)
})
