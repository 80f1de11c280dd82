// Registering a masjid, and asking to look after a listed one: a reviewer decides, the person is told.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { User } from '../../src/accounts/users.ts'
import { slugsOf } from '../../src/capabilities/masjid-slug.ts'
import { sql } from '../../src/db/sql.ts'
import { countMailTo, lastMailTo } from '../support/mail.ts'
import { useMinaret } from '../support/minaret.ts'
import { makePerson } from '../support/oauth.ts'
import type { Person } from '../support/person.ts'
import { makeMasjid, makeStaff, visitAs } from './use-staff.ts'

test('a name in addresses follows from the name, then the city, and is never that of a page', () => {
  assert.deepEqual(slugsOf('Masjid Ibrāhīm', 'León').slice(0, 3), [
    'masjid-ibrahim',
    'masjid-ibrahim-leon',
    'masjid-ibrahim-leon-2',
  ])
  assert.equal(slugsOf('مسجد النور', 'Leeds')[0], 'masjid-leeds')
  assert.ok(!slugsOf('Register', 'Leeds').includes('register'))
})

describe('requests about masjids', () => {
  const minaret = useMinaret()
  const database = () => minaret().service.database
  const details = {
    name: 'Cedar Grove Masjid',
    name_ar: 'مسجد الأرز',
    address: '4 Cedar Grove',
    city: 'Leeds',
    country: 'gb',
    place: '53.8008, -1.5491',
    timezone: 'Europe/London',
    words: 'I am its secretary; ask the imam.',
  }
  const makeReviewer = async (): Promise<{ user: User; person: Person }> => {
    const user = await makePerson(database())
    await database().run(sql`update minaret.users set is_reviewer = true where id = ${user.id}`)
    return { user, person: await visitAs(minaret(), user) }
  }
  const requestOf = async (user: User): Promise<string> => {
    const row = await database().first<{ id: string }>(sql`
      select id from minaret.masjid_requests where user_id = ${user.id} order by created_at desc limit 1`)
    return row?.id ?? ''
  }

  test('register a new one: approved, it is verified and the person looks after everything', async () => {
    const user = await makePerson(database())
    const person = await visitAs(minaret(), user)
    const sent = await person.submit('/staff/register', '/staff/register', details)
    assert.equal(sent.location, '/staff?done=requested', sent.text)
    assert.match((await person.get('/staff')).text, /Cedar Grove Masjid[\s\S]*Waiting for review/)
    const reviewer = await makeReviewer()
    const path = `/review/masjids/${await requestOf(user)}`
    assert.match((await reviewer.person.get('/review/masjids')).text, /Cedar Grove Masjid/)
    const approved = await reviewer.person.submit(path, `${path}/approve`, { words: 'Welcome.' })
    assert.equal(approved.location, '/review/masjids?done=approved', approved.text)
    const mail = await lastMailTo(database(), user.email)
    assert.match(mail.text, /Welcome\./)
    const page = await person.get(mail.link)
    assert.equal(page.status, 200)
    for (const section of ['events', 'announcements', 'team'])
      assert.ok(page.text.includes(`${mail.link}/${section}`), section)
    const masjid = await database().first(sql`
      select name_ar, verification, country, latitude from public.up_masjids where name = 'Cedar Grove Masjid'`)
    assert.deepEqual(
      { ...masjid },
      { name_ar: 'مسجد الأرز', verification: 'verified', country: 'GB', latitude: 53.8008 },
    )
  })

  const longAgo = () =>
    database().run(sql`update minaret.masjid_requests set created_at = created_at - interval '1 day'`)

  test('are told to reviewers in their language, once for several at a time, and not to the person who asks', async () => {
    await longAgo()
    const english = await makeReviewer()
    const arabic = await makeReviewer()
    await database().run(sql`update minaret.users set locale = 'ar' where id = ${arabic.user.id}`)
    const disabled = await makeReviewer()
    await database().run(sql`update minaret.users set disabled_at = now() where id = ${disabled.user.id}`)
    const asking = await makeReviewer()
    const link = 'https://evil.test/win'
    await asking.person.submit('/staff/register', '/staff/register', { ...details, name: `Free money ${link}` })
    const path = `/review/masjids/${await requestOf(asking.user)}`
    const mail = await lastMailTo(database(), english.user.email)
    assert.deepEqual([mail.subject, mail.link], ['A request about a masjid', path])
    assert.ok(!mail.text.includes('evil'))
    assert.match((await lastMailTo(database(), arabic.user.email)).text, /طلب أحدهم تسجيل مسجد/)
    assert.equal(await countMailTo(database(), disabled.user.email), 0)
    assert.equal(await countMailTo(database(), asking.user.email), 0)
    assert.equal((await english.person.get(mail.link)).status, 200)
    await asking.person.submit('/staff/register', '/staff/register', details)
    assert.equal(await countMailTo(database(), english.user.email), 1)
    await longAgo()
    await asking.person.submit('/staff/register', '/staff/register', details)
    const later = await lastMailTo(database(), english.user.email)
    assert.equal(later.subject, 'A request about Cedar Grove Masjid')
  })

  test('are withdrawn by the person who asked, before anybody decides, and by nobody else', async () => {
    const user = await makePerson(database())
    const person = await visitAs(minaret(), user)
    await person.submit('/staff/register', '/staff/register', details)
    const id = await requestOf(user)
    const path = `/staff/requests/${id}/withdraw`
    assert.match((await person.get('/staff?all=1')).text, new RegExp(path))
    const stranger = await visitAs(minaret(), await makePerson(database()))
    assert.equal((await stranger.get(path)).status, 404)
    const token = /name="anti_forgery" value="([^"]*)"/.exec((await stranger.get('/staff/register')).text)?.[1] ?? ''
    assert.equal((await stranger.post(path, { anti_forgery: token })).status, 404)
    person.cookies.set('minaret_language', 'ar')
    assert.match((await person.get(path)).text, /هل تريد سحب طلبك؟/)
    assert.equal((await person.submit(path, path, {})).location, '/staff?done=withdrawn')
    const list = await person.get('/staff?done=withdrawn')
    assert.match(list.text, /سُحب طلبك[\s\S]*مسحوب/)
    assert.ok(!list.text.includes(path))
    assert.equal((await person.get(path)).status, 404)
    const reviewer = await makeReviewer()
    const decide = await reviewer.person.post(`/review/masjids/${id}/approve`, await tokenOf(reviewer.person))
    assert.equal(decide.status, 409)
  })

  test('come back with what was typed and what is wrong', async () => {
    const person = await visitAs(minaret(), await makePerson(database()))
    const wrong = { ...details, name: '', country: 'Britain', place: 'Leeds', timezone: 'Nowhere/City', words: '' }
    const sent = await person.submit('/staff/register', '/staff/register', wrong)
    assert.equal(sent.status, 422)
    for (const field of ['name', 'country', 'place', 'timezone', 'words'])
      assert.match(sent.text, new RegExp(`href="#${field}"`))
    assert.match(sent.text, /value="Britain"/)
  })

  test('claim a listed one: rejected with a reason, asked again, approved', async () => {
    const masjid = await makeMasjid(database(), { name: 'Saffron Walk Masjid' })
    await makeStaff(database(), { masjid, role: 'admin' })
    const user = await makePerson(database())
    const person = await visitAs(minaret(), user)
    assert.match((await person.get('/staff/claim?q=saffron')).text, new RegExp(`/staff/claim/${masjid.id}`))
    const path = `/staff/claim/${masjid.id}`
    assert.equal((await person.submit(path, path, { words: '' })).status, 422)
    assert.equal((await person.submit(path, path, { words: 'I open the doors.' })).location, '/staff?done=requested')
    assert.match((await person.submit(path, path, { words: 'Again' })).text, /already/)
    const reviewer = await makeReviewer()
    const request = `/review/masjids/${await requestOf(user)}`
    assert.match((await reviewer.person.get(request)).text, /looked after already/)
    assert.equal((await reviewer.person.submit(request, `${request}/reject`, {})).status, 422)
    await reviewer.person.submit(request, `${request}/reject`, { reason: 'Nobody there knows you yet.' })
    assert.match((await lastMailTo(database(), user.email)).text, /Nobody there knows you yet/)
    assert.equal((await person.get(`/staff/${masjid.slug}`)).status, 404)
    await person.submit(path, path, { words: 'Now they do.' })
    const second = `/review/masjids/${await requestOf(user)}`
    await reviewer.person.submit(second, `${second}/approve`, {})
    assert.equal((await person.get(`/staff/${masjid.slug}/team`)).status, 200)
    assert.equal((await reviewer.person.post(`${second}/approve`, await tokenOf(reviewer.person))).status, 409)
  })
  const tokenOf = async (person: Person): Promise<{ anti_forgery: string }> => ({
    anti_forgery: /name="anti_forgery" value="([^"]*)"/.exec((await person.get('/review/masjids')).text)?.[1] ?? '',
  })

  test('are bounded for each person', async () => {
    const person = await visitAs(minaret(), await makePerson(database()))
    for (const _ of [1, 2, 3]) await person.submit('/staff/register', '/staff/register', details)
    const fourth = await person.submit('/staff/register', '/staff/register', details)
    assert.equal(fourth.status, 422)
    assert.match(fourth.text, /several open requests/)
  })

  test('are decided by reviewers, never about themselves, and by nobody else', async () => {
    const reviewer = await makeReviewer()
    await reviewer.person.submit('/staff/register', '/staff/register', details)
    const own = `/review/masjids/${await requestOf(reviewer.user)}`
    const refused = await reviewer.person.submit(own, `${own}/approve`, {})
    assert.equal(refused.status, 409)
    assert.match(refused.text, /Nobody decides about their own request/)
    const stranger = await visitAs(minaret(), await makePerson(database()))
    assert.equal((await stranger.get(own)).status, 403)
    const token = /name="anti_forgery" value="([^"]*)"/.exec((await stranger.get('/staff')).text)?.[1] ?? ''
    assert.equal((await stranger.post(`${own}/approve`, { anti_forgery: token })).status, 403)
    await assert.rejects(
      database().run(sql`
        update minaret.masjid_requests set state = 'approved', decided_at = now(), decided_by = user_id
        where user_id = ${reviewer.user.id}`),
      /own_check/,
    )
  })
})
