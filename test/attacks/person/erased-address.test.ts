// An erased account: what was kept of it by whoever had it, the same address registered anew, and strangers who keep erasures from ending.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, describe, test } from 'node:test'
import { decodeJwt } from 'jose'
import type { User } from '../../../src/accounts/users.ts'
import { sql } from '../../../src/db/sql.ts'
import { type Life, makeLife } from '../../own-data/life.ts'
import { makeStaff, visitAs } from '../../staff/use-staff.ts'
import { makeApp, makePendingApp, makeUser, PASSWORD } from '../../support/apps.ts'
import { lastMailTo } from '../../support/mail.ts'
import { useMinaret } from '../../support/minaret.ts'
import {
  authorizeParameters,
  type Code,
  type Flow,
  getAuthorize,
  getCode,
  getTokens,
  locationOf,
  makeClient,
  makePkce,
  postToken,
  refresh,
  type Tokens,
  userinfo,
  within,
} from '../../support/oauth.ts'
import { createPerson, hiddenFieldsOf, type Person } from '../../support/person.ts'

const minaret = useMinaret()
const database = () => minaret().service.database
const person = () => createPerson(minaret().baseUrl)
const cookieOf = ({ cookies }: Person): string => [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')

const askForErasure = async (browser: Person): Promise<void> =>
  assert.equal((await browser.submit('/account/data/erase', '/account/data/erase', {})).status, 200)
const makeDue = (userId: string) =>
  database().run(sql`update minaret.erasures set due_at = now() where user_id = ${userId}`)
const isErased = async (userId: string): Promise<boolean> =>
  (await database().query(sql`select from minaret.users where id = ${userId} and erased_at is not null`)).length > 0
const untilErased = (userId: string) => within(60_000, 'the account is erased', () => isErased(userId))

const signUp = async (email: string): Promise<Person> => {
  const browser = person()
  const password = 'seven olive trees'
  await browser.submit('/sign-up', '/sign-up', { name: 'Somebody New', email, password })
  const { link } = await lastMailTo(database(), email)
  assert.equal((await browser.submit(link, '/confirm', { password })).location, '/account')
  return browser
}

const callGraphql = (token: string): Promise<Response> =>
  fetch(`${minaret().baseUrl}/v1/graphql`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ query: '{ up_masjids(limit: 1) { id } }' }),
  })

describe('what is left of an erased account', () => {
  let life: Life
  let user: User
  let old: Person
  let flow: Flow
  let tokens: Tokens
  let code: Code
  let anew: Person
  const links: Record<string, string> = {}

  const keepLink = async (what: string): Promise<void> => {
    links[what] = (await lastMailTo(database(), user.email)).link
  }

  before(async () => {
    life = await makeLife(database())
    user = life.user
    old = person()
    await old.signIn(user.email, PASSWORD)
    flow = { app: await makeClient(database()), user, cookie: cookieOf(old) }
    tokens = await getTokens(minaret(), flow)
    await old.submit('/forgot-password', '/forgot-password', { email: user.email })
    await keepLink('reset-password')
    const owner = await makeUser(database(), { hashed: false })
    const { id: appId } = await makeApp(database(), { ownerId: owner.id })
    const team = `/console/apps/${appId}/team`
    const teamOwner = await visitAs(minaret(), owner)
    await teamOwner.submit(team, `${team}/invite`, { email: user.email, role: 'owner' })
    await keepLink('invitation')
    const page = await old.submit('/account/data', '/account/data/export', {})
    links.download = (/href="(\/account\/data\/download[^"]*)"/.exec(page.text)?.[1] ?? '').replaceAll('&#38;', '&')
    code = await getCode(minaret(), flow)
    await askForErasure(old)
    await keepLink('keep-account')
    await makeDue(user.id)
    await untilErased(user.id)
    anew = await signUp(user.email)
  })

  const attempts: Readonly<Record<string, () => Promise<boolean>>> = {
    'the old session': async () => (await old.get('/account')).status === 200,
    'the old password': async () => (await person().signIn(user.email, PASSWORD)).status === 303,
    'the old access token, for data': async () => (await callGraphql(tokens.access_token)).ok,
    'the old access token, for who it is': async () => (await userinfo(minaret(), tokens.access_token)).ok,
    'the old refresh token': async () => (await refresh(minaret(), flow.app, tokens.refresh_token)).ok,
    'a code that was waiting': async () => (await postToken(minaret(), code.form, code.headers)).ok,
    'the link for a new password': async () => (await person().get(links['reset-password'] ?? '')).status !== 410,
    'the link that keeps the account': async () => (await person().get(links['keep-account'] ?? '')).status !== 410,
    'the link to the download, with the old session': async () => (await old.get(links.download ?? '')).status === 200,
    'the link to the download, in the new account': async () => (await anew.get(links.download ?? '')).status === 200,
    'an invitation to a team, in the new account': async () => (await anew.get(links.invitation ?? '')).status === 200,
    'the memberships, in the new account': async () =>
      (await anew.get('/account/data')).text.includes(String(life.marks[0])) ||
      (await anew.get('/staff')).text.includes('/staff/'.concat(life.masjidId)),
    'the activity, in the new account': async () => (await anew.get('/account/activity')).text.includes('203.0.113.7'),
    'the consent, in the new account': async () => {
      const asked = authorizeParameters(flow.app, makePkce())
      const arrived = locationOf(await getAuthorize(minaret(), asked, cookieOf(anew)))
      return arrived.pathname !== '/consent'
    },
    'the old ID token as a hint, in the new account': async () => {
      const parameters = { prompt: 'none', id_token_hint: tokens.id_token }
      const asked = authorizeParameters(flow.app, makePkce(), { parameters })
      return locationOf(await getAuthorize(minaret(), asked, cookieOf(anew))).searchParams.has('code')
    },
    'the subject that apps knew, in the new account': async () => {
      const again = await getTokens(minaret(), { ...flow, cookie: cookieOf(anew) })
      return decodeJwt(again.id_token).sub === user.id
    },
    'rights that were written for the old account': async () => {
      const rights = sql`update minaret.users set is_admin = true where id = ${user.id}`
      return database()
        .run(rights)
        .then(
          () => true,
          () => false,
        )
    },
  }

  test('opens nothing, neither for whoever had it, nor for who registers the address anew', async () => {
    for (const [what, attempt] of Object.entries(attempts)) assert.equal(await attempt(), false, what)
  })
})

describe('an erasure', () => {
  const leaving = async (): Promise<{ readonly user: User; readonly browser: Person }> => {
    const user = await makeUser(database())
    const browser = person()
    await browser.signIn(user.email, PASSWORD)
    return { user, browser }
  }

  test('is not kept from its end by whoever signs up with the address that the account gets', async () => {
    const { user, browser } = await leaving()
    for (const spelling of [
      `erased-${user.id}@erased.invalid`,
      `ERASED-${user.id}@Erased.Invalid`,
      'x@erased.invalid',
    ]) {
      const fields = { name: 'Squatter', email: spelling, password: 'seven olive trees' }
      assert.equal((await person().submit('/sign-up', '/sign-up', fields)).status, 422, spelling)
      await browser.submit('/account', '/account/email', { new_email: spelling, email_password: PASSWORD })
      const written = database().run(sql`
        insert into minaret.users (email, name, password_hash) values (${spelling}, 'Squatter', 'x')`)
      await assert.rejects(written, /users_erased_email_check/)
    }
    await askForErasure(browser)
    await makeDue(user.id)
    await untilErased(user.id)
  })

  test('that fails keeps none of the others from their end', async () => {
    const [stuck, other] = [await leaving(), await leaving()]
    await database().run(sql`
      create function minaret.refuse_one() returns trigger language plpgsql as 'begin raise exception $$no$$; end'`)
    await database().run(sql`
      create trigger refuse_one before update of erased_at on minaret.users for each row
      when (new.name = 'Erased' and new.locale = 'ar') execute function minaret.refuse_one()`)
    try {
      await database().run(sql`update minaret.users set locale = 'ar' where id = ${stuck.user.id}`)
      for (const { browser } of [stuck, other]) await askForErasure(browser)
      await database().run(sql`
        update minaret.erasures set due_at = now() - interval '1 hour' where user_id = ${stuck.user.id}`)
      await within(
        60_000,
        'it was begun',
        async () =>
          (
            await database().query(sql`
          select from minaret.erasures where user_id = ${stuck.user.id} and started_at is not null`)
          ).length > 0,
      )
      await makeDue(other.user.id)
      await untilErased(other.user.id)
      assert.equal(await isErased(stuck.user.id), false)
    } finally {
      await database().run(sql`drop trigger refuse_one on minaret.users`)
    }
    await makeDue(stuck.user.id)
    await untilErased(stuck.user.id)
  })

  test('is not kept from its end by another owner of an app, who leaves meanwhile', async () => {
    const { user, browser } = await leaving()
    const friend = await makeUser(database(), { hashed: false })
    const appId = await makePendingApp(database(), { ownerId: user.id })
    await database().run(sql`
      insert into minaret.app_members (app_id, user_id, role) values (${appId}, ${friend.id}, 'owner')`)
    await askForErasure(browser)
    const other = await visitAs(minaret(), friend)
    const fields = hiddenFieldsOf((await other.get('/console/apps/new')).text, '/console/apps')
    const left = await other.post(`/console/apps/${appId}/team/leave`, fields)
    assert.equal(left.status, 422, 'the app would be left to nobody')
    // However it came about: the app goes with its last owner.
    await database().run(sql`alter table minaret.app_members disable trigger user`)
    await database().run(sql`delete from minaret.app_members where app_id = ${appId} and user_id = ${friend.id}`)
    await database().run(sql`alter table minaret.app_members enable trigger user`)
    await database().run(sql`update minaret.apps set owner_id = ${user.id} where id = ${appId}`)
    await makeDue(user.id)
    await untilErased(user.id)
    const app = await database().first<{ gone: boolean }>(sql`
      select deleted_at is not null as gone from minaret.apps where id = ${appId}`)
    assert.equal(app?.gone, true)
  })

  test('is not kept from its end by the only other manager of a masjid, who is dismissed meanwhile', async () => {
    const life = await makeLife(database())
    await database().run(sql`
      update public.ua_members set role = 'admin' where id = ${life.memberId}`)
    const masjid = { id: life.masjidId, slug: '' }
    const other = await makeStaff(database(), { masjid, role: 'admin' })
    await makeStaff(database(), { masjid })
    const browser = person()
    await browser.signIn(life.user.email, PASSWORD)
    await askForErasure(browser)
    await database().run(sql`update public.ua_members set status = 'inactive' where user_id = ${other.id}`)
    await makeDue(life.user.id)
    await untilErased(life.user.id)
  })

  test('is asked for once, by the owner alone: neither a form of another site nor somebody else’s id erases anybody', async () => {
    const [victim, thief] = [await leaving(), await leaving()]
    const form = hiddenFieldsOf((await thief.browser.get('/account/data/erase')).text, '/account/data/erase')
    const strange = { ...form, user_id: victim.user.id, id: victim.user.id, email: victim.user.email }
    assert.equal((await victim.browser.post('/account/data/erase', strange)).status, 403)
    assert.notEqual((await person().post('/account/data/erase', strange)).status, 200)
    assert.equal((await person().get(`/keep-account?token=${randomUUID()}`)).status, 410)
    assert.deepEqual(await database().query(sql`select from minaret.erasures where user_id = ${victim.user.id}`), [])
  })
})
