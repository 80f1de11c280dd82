// Guessing with limits on: passwords, codes, secrets, tokens and links, by every door and with whatever makes guesses look new.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { createCodeLimit } from '../../../src/accounts/factors/limit-codes.ts'
import { makeUser, PASSWORD } from '../../support/apps.ts'
import { setUpAuthenticator } from '../../support/authenticator.ts'
import { countMailTo, lastMailTo } from '../../support/mail.ts'
import { startTestMinaret, type TestMinaret } from '../../support/minaret.ts'
import { basic, makeClient, postForm, within } from '../../support/oauth.ts'
import { createPerson, hiddenFieldsOf, type Person } from '../../support/person.ts'

const limited = { RATE_LIMITS: 'on', TRUST_PROXY: 'on' }
let minaret: TestMinaret
before(async () => {
  minaret = await startTestMinaret(limited)
})
after(() => minaret.stop())
const database = () => minaret.service.database

let addresses = 0
/** A browser behind a network address that nobody has used yet. */
const newcomer = (at = minaret): Person => {
  addresses += 1
  return createPerson(at.baseUrl, { 'x-forwarded-for': `198.51.100.${addresses}` })
}

const guess = async (person: Person, email: string, password = 'a wrong guess'): Promise<number> => {
  const { text } = await person.get('/sign-in')
  return (await person.post('/sign-in', { ...hiddenFieldsOf(text, '/sign-in'), email, password })).status
}

/** How many of the guesses were looked at. */
const looked = (statuses: readonly number[], wrong = 422): number => {
  for (const status of statuses) assert.ok([wrong, 429].includes(status), String(status))
  return statuses.filter(status => status === wrong).length
}

const inTurn = async (count: number, work: (index: number) => Promise<number>): Promise<number[]> => {
  const statuses: number[] = []
  for (let index = 0; index < count; index += 1) statuses.push(await work(index))
  return statuses
}

describe('guesses at a password', () => {
  test('are counted together however the address is spelled', async () => {
    const { email } = await makeUser(database(), { hashed: false })
    const ways = [email, email.toUpperCase(), ` ${email}`, `${email}\t`, email.replace('example', 'EXAMPLE')]
    const person = newcomer()
    assert.equal(looked(await inTurn(15, index => guess(person, ways[index % ways.length] ?? ''))), 10)
  })

  test('are counted before they are looked at: forty at once are ten', async () => {
    const { email } = await makeUser(database(), { hashed: false })
    const person = newcomer()
    const form = hiddenFieldsOf((await person.get('/sign-in')).text, '/sign-in')
    const sent = Array.from({ length: 40 }, () =>
      person.post('/sign-in', { ...form, email, password: 'a wrong guess' }),
    )
    assert.equal(looked((await Promise.all(sent)).map(({ status }) => status)), 10)
  })

  test('are not forgotten when the guesser signs in to an account of their own in between', async () => {
    const victim = await makeUser(database(), { hashed: false })
    const own = await makeUser(database())
    const [person, address] = [newcomer(), addresses]
    const statuses = await inTurn(12, async index => {
      if (index % 5 === 4) {
        const other = createPerson(minaret.baseUrl, { 'x-forwarded-for': `198.51.100.${address}` })
        assert.equal(await guess(other, own.email, PASSWORD), 303)
      }
      return guess(person, victim.email)
    })
    assert.equal(looked(statuses), 10)
  })

  test('of many accounts, a few for each, are counted by network address', async () => {
    const person = newcomer()
    const form = hiddenFieldsOf((await person.get('/sign-in')).text, '/sign-in')
    const sent = Array.from({ length: 70 }, (_, index) =>
      person.post('/sign-in', { ...form, email: `sprayed-${index}@example.org`, password: 'a wrong guess' }),
    )
    assert.equal(looked((await Promise.all(sent)).map(({ status }) => status)), 60)
    assert.equal(await guess(newcomer(), 'sprayed-1@example.org'), 422, 'others are not refused')
  })

  test('go on being counted in another process', async () => {
    const other = await startTestMinaret({ ...limited, DATABASE_URL: minaret.databaseUrl })
    try {
      const { email } = await makeUser(database(), { hashed: false })
      const [here, address] = [newcomer(), addresses]
      assert.equal(looked(await inTurn(12, () => guess(here, email))), 10)
      const there = createPerson(other.baseUrl, { 'x-forwarded-for': `198.51.100.${address}` })
      await within(30_000, 'it is refused there too', async () => (await guess(there, email)) === 429)
    } finally {
      await other.stop()
    }
  })

  test('with a stolen session are counted together at every form that asks for it, in every browser', async () => {
    const user = await makeUser(database())
    const browsers = [newcomer(), newcomer()]
    for (const browser of browsers) assert.equal((await browser.signIn(user.email, PASSWORD)).status, 303)
    const forms = [
      ['/account/password', { current_password: 'a wrong guess', new_password: 'a lantern and two doves' }],
      ['/account/email', { email_password: 'a wrong guess', new_email: 'thief@example.org' }],
    ] as const
    const statuses = await inTurn(14, async index => {
      const [action, fields] = forms[index % 2] ?? forms[0]
      const browser = browsers[Math.floor(index / 2) % 2] ?? browsers[0]
      return (await browser?.submit('/account', action, fields))?.status ?? 0
    })
    assert.ok(looked(statuses) <= 10, statuses.join(' '))
    assert.equal(statuses.at(-1), 429)
  })

  test('behind a link that was read in somebody’s mail are ten', async () => {
    const email = 'link-guessed@example.org'
    const person = newcomer()
    await person.submit('/sign-up', '/sign-up', { name: 'Somebody', email, password: 'seven olive trees' })
    const { link } = await lastMailTo(database(), email)
    const statuses = await inTurn(
      13,
      async () => (await person.submit(link, '/confirm', { password: 'a wrong guess' })).status,
    )
    assert.equal(looked(statuses), 10)
  })
})

describe('guesses at a second factor', () => {
  test('are counted together at the sign-in and where a session shows again who it is', async () => {
    const user = await makeUser(database())
    const owner = newcomer()
    await owner.signIn(user.email, PASSWORD)
    await setUpAuthenticator(owner)
    const thief = newcomer()
    assert.equal((await thief.signIn(user.email, PASSWORD)).location, '/sign-in/second-factor')
    const statuses = await inTurn(6, async index => {
      const path = index % 2 === 0 ? '/sign-in/second-factor' : '/sign-in/again'
      const browser = index % 2 === 0 ? thief : owner
      return (await browser.submit(path, path, { code: String(100_000 + index) })).status
    })
    assert.equal(looked(statuses), 5)
  })

  test('are at most a hundred in a day, however often a new password is chosen by mail', async () => {
    const { id: userId } = await makeUser(database(), { hashed: false })
    const limit = createCodeLimit(database(), Buffer.from('a secret of the test'), true)
    let guesses = 0
    for (let password = 0; password < 25; password += 1)
      for (let tries = 0; tries < 5; tries += 1)
        await limit.take('totp', { userId, passwordHash: `hash ${password}` }).then(
          () => {
            guesses += 1
          },
          error => assert.equal(error.status, 429),
        )
    assert.equal(guesses, 100)
    await limit.take('recovery', { userId, passwordHash: 'hash 26' })
  })
})

describe('guesses of a program', () => {
  test('at secrets, codes, tokens and assertions are counted together, whichever endpoint refuses them', async () => {
    const app = await makeClient(database(), { kind: 'confidential' })
    addresses += 1
    const from = { 'x-forwarded-for': `198.51.100.${addresses}` }
    const wrong = { ...from, ...basic({ ...app, secret: 'wrong' }) }
    const right = { ...from, ...basic(app) }
    const code = { grant_type: 'authorization_code', redirect_uri: app.redirectUri, code_verifier: 'a'.repeat(43) }
    const assertion = {
      grant_type: 'client_credentials',
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      client_assertion: 'e30.e30.e30',
    }
    const ways: readonly (readonly [string, Record<string, string>, Record<string, string>])[] = [
      ['/api/oauth/token', { grant_type: 'client_credentials' }, wrong],
      ['/api/oauth/token', { grant_type: 'client_credentials', client_id: app.clientId, client_secret: 'wrong' }, from],
      ['/api/oauth/token', { ...code, code: 'guessed' }, right],
      ['/api/oauth/token', { grant_type: 'refresh_token', refresh_token: `rt_${'a'.repeat(43)}` }, right],
      [
        '/api/oauth/token',
        { grant_type: 'urn:ietf:params:oauth:grant-type:device_code', device_code: 'guessed' },
        right,
      ],
      ['/api/oauth/token', assertion, from],
      ['/oauth/introspect', { token: 'guessed' }, wrong],
      ['/oauth/par', { response_type: 'code' }, wrong],
      ['/oauth/revoke', { token: 'guessed' }, wrong],
      ['/oauth/device_authorization', { scope: 'masjid:read' }, wrong],
    ]
    const statuses = await inTurn(12 * ways.length, async index => {
      const [path, form, headers] = ways[index % ways.length] ?? assert.fail()
      return (await postForm(`${minaret.baseUrl}${path}`, form, headers)).status
    })
    for (const status of statuses) assert.ok([400, 401, 429].includes(status), String(status))
    assert.equal(statuses.filter(status => status !== 429).length, 100)
    assert.ok(statuses.slice(100).every(status => status === 429))
    const good = await postForm(`${minaret.baseUrl}/api/oauth/token`, { grant_type: 'client_credentials' }, right)
    assert.equal(good.status, 200, 'the app itself goes on')
  })
})

describe('mail that a guesser has sent', () => {
  test('is five in an hour for one recipient, by whichever form and spelling, with and without an account', async () => {
    const known = await makeUser(database(), { hashed: false })
    for (const email of [known.email, 'nobody-there@example.org']) {
      const statuses = await inTurn(8, async index => {
        const spelled = index % 2 === 0 ? email : email.toUpperCase()
        const person = newcomer()
        const asked =
          index % 3 === 2
            ? await person.submit('/sign-up', '/sign-up', {
                name: 'Somebody',
                email: spelled,
                password: 'seven olive trees',
              })
            : await person.submit('/forgot-password', '/forgot-password', { email: spelled })
        return asked.status
      })
      assert.deepEqual(
        statuses.map(status => status === 429),
        [false, false, false, false, false, true, true, true],
        email,
      )
      assert.ok((await countMailTo(database(), email)) <= 5)
    }
  })
})
