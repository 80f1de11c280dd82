// Capabilities that need a second factor: whoever holds one cannot use it before their account has a factor, on pages or with a token.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { User } from '../../src/accounts/users.ts'
import { sql } from '../../src/db/sql.ts'
import { letCodesPass, setUpAuthenticator } from '../support/authenticator.ts'
import { useMinaret } from '../support/minaret.ts'
import { type Masjid, makeMasjid, makeStaff, visitAs } from './use-staff.ts'

const minaret = useMinaret({ SECOND_FACTOR_CAPABILITIES: 'giving people' })
const database = () => minaret().service.database

const treasurer = async (): Promise<{ masjid: Masjid; user: User }> => {
  const masjid = await makeMasjid(database())
  return { masjid, user: await makeStaff(database(), { masjid, capabilities: ['giving', 'times'] }) }
}

/** The masjids where PostgreSQL lets somebody write, and read what the capability opens. */
const masjidsOf = async (user: User, capability: string): Promise<[writing: string[], reading: string[]]> => {
  const row = await database().transaction(async transaction => {
    await transaction.run(sql`select set_config('minaret.user_id', ${user.id}, true)`)
    return transaction.first<{ writing: string[]; reading: string[] }>(sql`
      select public.writing_masjids(${capability}) as writing, public.look_up_masjids_for(${capability}::public.ua_capability) as reading`)
  })
  return [row?.writing ?? [], row?.reading ?? []]
}

const confirmFactor = (user: User): Promise<number> =>
  database().run(sql`
    insert into minaret.totp_factors (user_id, secret, confirmed_at) values (${user.id}, '\\x00', now())`)

test('without a second factor, PostgreSQL gives a guarded capability to nobody; others are as before', async () => {
  const { masjid, user } = await treasurer()
  assert.deepEqual(await masjidsOf(user, 'giving'), [[], []])
  assert.deepEqual(await masjidsOf(user, 'times'), [[masjid.id], [masjid.id]])
  await confirmFactor(user)
  assert.deepEqual(await masjidsOf(user, 'giving'), [[masjid.id], [masjid.id]])
})

test('a role does not go around it', async () => {
  const masjid = await makeMasjid(database())
  const user = await makeStaff(database(), { masjid, role: 'admin' })
  assert.deepEqual(await masjidsOf(user, 'people'), [[], []])
  assert.deepEqual(await masjidsOf(user, 'events'), [[masjid.id], [masjid.id]])
})

test('staff are told what waits for a second factor, led to set it up, and then let in', async () => {
  const { masjid, user } = await treasurer()
  const person = await visitAs(minaret(), user)
  const overview = await person.get(`/staff/${masjid.slug}`)
  assert.equal(overview.status, 200)
  assert.match(overview.text, /need a second factor/)
  assert.doesNotMatch(overview.text, new RegExp(`/staff/${masjid.slug}/giving`))
  const refused = await person.get(`/staff/${masjid.slug}/giving`)
  assert.equal(refused.location, '/account/security')
  await setUpAuthenticator(person)
  await letCodesPass(database(), user.id)
  const page = await person.get(`/staff/${masjid.slug}/giving`)
  assert.equal(page.status, 200)
  assert.doesNotMatch((await person.get(`/staff/${masjid.slug}`)).text, /need a second factor/)
})

test('somebody who holds nothing but guarded capabilities finds the way, not a 404', async () => {
  const masjid = await makeMasjid(database())
  const user = await makeStaff(database(), { masjid, capabilities: ['giving'] })
  const person = await visitAs(minaret(), user)
  assert.equal((await person.get(`/staff/${masjid.slug}`)).status, 200)
  assert.equal((await person.get(`/staff/${masjid.slug}/people`)).status, 403)
})

test('a factor that is removed takes the capability with it at once', async () => {
  const { user } = await treasurer()
  await confirmFactor(user)
  assert.equal((await masjidsOf(user, 'giving'))[0].length, 1)
  await database().run(sql`delete from minaret.totp_factors where user_id = ${user.id}`)
  assert.deepEqual(await masjidsOf(user, 'giving'), [[], []])
})
