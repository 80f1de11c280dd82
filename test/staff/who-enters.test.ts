// Who sees the staff pages of a masjid: those who hold a capability there, and administrators of the service.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from '../../src/db/sql.ts'
import { useMinaret } from '../support/minaret.ts'
import { makePerson } from '../support/oauth.ts'
import { createPerson } from '../support/person.ts'
import { fillDays } from '../support/prayer-times.ts'
import { makeMasjid, makeStaff, visitAs } from './use-staff.ts'

describe('the staff pages', () => {
  const minaret = useMinaret()
  const database = () => minaret().service.database

  test('lead a person with one masjid straight to it, with its times today', async () => {
    const masjid = await makeMasjid(database(), { name: 'Juniper Masjid' })
    await fillDays(database(), { from: new Date(Date.now() - 86_400_000).toISOString().slice(0, 10), days: 3 })
    const person = await visitAs(minaret(), await makeStaff(database(), { masjid, capabilities: ['times'] }))
    assert.equal((await person.get('/staff')).location, `/staff/${masjid.slug}`)
    const page = await person.get(`/staff/${masjid.slug}`)
    assert.equal(page.status, 200, page.text)
    assert.match(page.text, /Juniper Masjid/)
    assert.match(page.text, /Maghrib<\/td><td>\d\d:\d\d/)
  })

  test('list the masjids of a person with several', async () => {
    const [one, two] = [
      await makeMasjid(database(), { name: 'First' }),
      await makeMasjid(database(), { name: 'Second' }),
    ]
    const user = await makeStaff(database(), { masjid: one, role: 'board' })
    await database().run(sql`
      insert into public.ua_members (masjid_id, user_id, given_name, role) values (${two.id}, ${user.id}, 'A', 'admin')`)
    const { text } = await (await visitAs(minaret(), user)).get('/staff')
    assert.ok(text.includes(`/staff/${one.slug}`) && text.includes(`/staff/${two.slug}`))
  })

  test('do not exist for members without capabilities, for others, and for the dismissed', async () => {
    const masjid = await makeMasjid(database())
    const elsewhere = await makeMasjid(database())
    const member = await makeStaff(database(), { masjid })
    const other = await makeStaff(database(), { masjid: elsewhere, role: 'admin' })
    const dismissed = await makeStaff(database(), { masjid, capabilities: ['times'] })
    await database().run(sql`update public.ua_members set status = 'inactive' where user_id = ${dismissed.id}`)
    for (const user of [member, other, dismissed, await makePerson(database())])
      assert.equal((await (await visitAs(minaret(), user)).get(`/staff/${masjid.slug}`)).status, 404)
  })

  test('ask strangers to sign in', async () => {
    const masjid = await makeMasjid(database())
    assert.equal((await createPerson(minaret().baseUrl).get(`/staff/${masjid.slug}`)).location, '/sign-in')
  })

  test('are all open to administrators of the service, who search them', async () => {
    const masjid = await makeMasjid(database(), { name: 'Quillfeather Masjid' })
    const user = await makePerson(database())
    await database().run(sql`update minaret.users set is_admin = true where id = ${user.id}`)
    const admin = await visitAs(minaret(), user)
    assert.match((await admin.get('/staff?q=quillfeather')).text, new RegExp(masjid.slug))
    assert.equal((await admin.get(`/staff/${masjid.slug}`)).status, 200)
  })
})
