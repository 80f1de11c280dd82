// Events: created, repeated, by a prayer, changed by two at once, one date cancelled, answers seen by those who may.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { localDateAt } from '../../src/base/local-time.ts'
import { sql } from '../../src/db/sql.ts'
import { useMinaret } from '../support/minaret.ts'
import type { Person } from '../support/person.ts'
import { untilSettled } from '../support/settled.ts'
import { type Masjid, makeMasjid, makeStaff, visitAs } from './use-staff.ts'

const DAY_MS = 86_400_000
const zone = 'America/Toronto'
const dayFromNow = (days: number): string => localDateAt(new Date(Date.now() + days * DAY_MS), zone)

interface Row {
  readonly id: string
  readonly title: string
  readonly starts_local: string
  readonly timezone: string
  readonly rrule: string | null
  readonly anchor_prayer: string | null
  readonly anchor_offset: number | null
  readonly deleted_at: Date | null
}

describe('events', () => {
  const minaret = useMinaret()
  const database = () => minaret().service.database
  const rowsAt = (masjid: Masjid): Promise<Row[]> =>
    database().query<Row>(sql`
      select id, title, starts_local::text, timezone, rrule, anchor_prayer, anchor_offset, deleted_at
      from public.up_events where masjid_id = ${masjid.id}`)
  const datesAt = (masjid: Masjid) =>
    database().query<{ id: string; status: string }>(sql`
      select id, status from public.up_event_occurrences
      where masjid_id = ${masjid.id} and deleted_at is null order by starts_at`)
  /** By the job of the service: what another one wrote beside it could be of an event as it was before. */
  const fillDates = () => untilSettled(database())

  const enter = async (): Promise<{ masjid: Masjid; person: Person; base: string }> => {
    const masjid = await makeMasjid(database(), { timezone: zone })
    const person = await visitAs(minaret(), await makeStaff(database(), { masjid, capabilities: ['events'] }))
    return { masjid, person, base: `/staff/${masjid.slug}/events` }
  }
  const lecture = {
    title: 'Seerah lecture',
    description: '<img src=x onerror=alert(1)>',
    date: dayFromNow(2),
    time: '19:30',
    duration: '90',
    repeat: 'once',
  }
  const create = async (person: Person, base: string, fields: Record<string, string> = {}) => {
    const sent = await person.submit(`${base}/new`, `${base}/new`, { ...lecture, ...fields })
    assert.match(sent.location ?? sent.text, /done=created$/)
  }

  test('are created in the masjid’s time zone, and show on their day', async () => {
    const { masjid, person, base } = await enter()
    await create(person, base)
    const [row] = await rowsAt(masjid)
    assert.deepEqual([row?.starts_local, row?.timezone, row?.rrule], [`${dayFromNow(2)} 19:30:00`, zone, null])
    await fillDates()
    const list = await person.get(base)
    assert.match(list.text, /19:30<\/time>–21:00/)
    assert.match(list.text, /Seerah lecture/)
    const page = await person.get(`${base}/${row?.id}`)
    assert.ok(!page.text.includes('<img src=x'), 'escaped')
  })

  test('repeat by a rule in words, until a day or so many times', async () => {
    const { masjid, person, base } = await enter()
    await create(person, base, { repeat: 'weekly', count: '3' })
    const [row] = await rowsAt(masjid)
    assert.match(row?.rrule ?? '', /^FREQ=WEEKLY;BYDAY=[A-Z]{2};COUNT=3$/)
    await fillDates()
    assert.equal((await datesAt(masjid)).length, 3)
    assert.match((await person.get(base)).text, /Every week on <bdi>\w+day<\/bdi>, <bdi>3<\/bdi> times/)
    const path = `${base}/${row?.id}`
    const until = dayFromNow(9)
    const saved = await person.submit(path, path, { ...lecture, repeat: 'weekly', until })
    assert.equal(saved.location, `${path}?done=saved`, saved.text)
    await fillDates()
    assert.equal((await datesAt(masjid)).length, 2)
    assert.match((await person.get(path)).text, new RegExp(`name="until"[^>]*value="${until}"`))
  })

  test('follow a prayer instead of the clock', async () => {
    const { masjid, person, base } = await enter()
    await create(person, base, { anchor: 'isha', offset: '-20' })
    const [row] = await rowsAt(masjid)
    assert.deepEqual([row?.anchor_prayer, row?.anchor_offset], ['isha', -20])
    assert.match((await person.get(base)).text, /<bdi>20 minutes<\/bdi> before <bdi>Isha<\/bdi>/)
  })

  test('with a rule that the form cannot express keep it', async () => {
    const { masjid, person, base } = await enter()
    await create(person, base)
    const [row] = await rowsAt(masjid)
    const rule = 'FREQ=WEEKLY;INTERVAL=3;BYDAY=FR,SA'
    await database().run(sql`update public.up_events set rrule = ${rule} where id = ${row?.id}`)
    const path = `${base}/${row?.id}`
    await person.submit(path, path, { ...lecture, title: 'Renamed', repeat: 'custom' })
    assert.deepEqual(
      (await rowsAt(masjid)).map(({ title, rrule }) => [title, rrule]),
      [['Renamed', rule]],
    )
  })

  test('come back with what was typed and what is wrong', async () => {
    const { masjid, person, base } = await enter()
    const wrong = {
      title: '',
      description: 'Kept as typed',
      date: 'x',
      time: '',
      duration: '0',
      capacity: '-1',
      mode: 'online',
      repeat: 'weekly',
      until: '2020-01-01',
    }
    const sent = await person.submit(`${base}/new`, `${base}/new`, wrong)
    assert.equal(sent.status, 422)
    assert.match(sent.text, /<title>Error: /)
    for (const field of ['title', 'date', 'time', 'duration', 'capacity', 'online_url', 'until'])
      assert.match(sent.text, new RegExp(`href="#${field}"`), field)
    assert.match(sent.text, /Kept as typed/)
    assert.deepEqual(await rowsAt(masjid), [])
  })

  test('that somebody else changed meanwhile: nothing is lost', async () => {
    const { masjid, person, base } = await enter()
    await create(person, base)
    const [row] = await rowsAt(masjid)
    const path = `${base}/${row?.id}`
    await database().run(sql`update public.up_events set title = 'Theirs' where id = ${row?.id}`)
    const token = /name="anti_forgery" value="([^"]*)"/.exec((await person.get(path)).text)?.[1] ?? ''
    const refused = await person.post(path, { anti_forgery: token, ...lecture, title: 'Mine', version: '1' })
    assert.equal(refused.status, 422)
    assert.match(refused.text, /Somebody else changed[\s\S]*Theirs[\s\S]*value="Mine"/)
    assert.equal((await rowsAt(masjid))[0]?.title, 'Theirs')
  })

  test('that have no dates, as their rule matches no day, say so in both languages until the rule is changed', async () => {
    const { masjid, person, base } = await enter()
    await create(person, base)
    const [row] = await rowsAt(masjid)
    await database().run(
      sql`update public.up_events set rrule = 'FREQ=MONTHLY;BYDAY=1MO;BYMONTHDAY=20' where id = ${row?.id}`,
    )
    await fillDates()
    assert.match((await person.get(base)).text, /Without dates/)
    assert.match((await person.get(`${base}/${row?.id}`)).text, /matches no day in decades/)
    person.cookies.set('minaret_language', 'ar')
    assert.match((await person.get(`${base}/${row?.id}`)).text, /لا توافق أي يوم خلال عقود/)
    await database().run(sql`update public.up_events set rrule = 'FREQ=DAILY;COUNT=2' where id = ${row?.id}`)
    await fillDates()
    assert.doesNotMatch((await person.get(base)).text, /بلا مواعيد/)
    assert.equal((await datesAt(masjid)).length, 2)
  })

  test('have single dates cancelled and taken back; the others stay', async () => {
    const { masjid, person, base } = await enter()
    await create(person, base, { repeat: 'weekly', count: '3' })
    await fillDates()
    const [, second] = await datesAt(masjid)
    const path = `${base}/dates/${second?.id}`
    assert.equal((await person.submit(`${path}/cancel`, `${path}/cancel`, {})).location, `${base}?done=cancelled`)
    await fillDates()
    assert.deepEqual(
      (await datesAt(masjid)).map(({ status }) => status),
      ['scheduled', 'cancelled', 'scheduled'],
    )
    assert.equal((await person.submit(base, `${path}/keep`, {})).location, `${base}?done=scheduled`)
    assert.deepEqual(
      (await datesAt(masjid)).map(({ status }) => status),
      ['scheduled', 'scheduled', 'scheduled'],
    )
  })

  test('are deleted after a question, and taken back', async () => {
    const { masjid, person, base } = await enter()
    await create(person, base)
    const [row] = await rowsAt(masjid)
    const path = `${base}/${row?.id}`
    const deleted = await person.submit(`${path}/delete`, `${path}/delete`, {})
    assert.equal(deleted.location, `${base}?done=deleted&id=${row?.id}`)
    assert.ok((await rowsAt(masjid))[0]?.deleted_at)
    await person.submit(`${base}?done=deleted&id=${row?.id}`, `${path}/restore`, {})
    assert.equal((await rowsAt(masjid))[0]?.deleted_at, null)
  })

  test('show answers and the waiting list; members’ names only to those who may see people', async () => {
    const { masjid, person, base } = await enter()
    await create(person, base, { capacity: '2' })
    await fillDates()
    const [date] = await datesAt(masjid)
    await makeStaff(database(), { masjid })
    await database().run(sql`
      insert into public.up_event_rsvps (occurrence_id, masjid_id, member_id)
      select ${date?.id}, ${masjid.id}, id from public.ua_members where masjid_id = ${masjid.id} order by created_at desc limit 1`)
    for (const guest of ['First Guest', 'Late Guest'])
      await database().run(sql`
        insert into public.up_event_rsvps (occurrence_id, masjid_id, guest_name, guest_email)
        values (${date?.id}, ${masjid.id}, ${guest}, ${`${guest.replace(' ', '.').toLowerCase()}@example.org`})`)
    const path = `${base}/dates/${date?.id}/answers`
    const { text } = await person.get(path)
    assert.match(text, /Coming \(2\)[\s\S]*First Guest[\s\S]*Waiting list, in order \(1\)[\s\S]*Late Guest/)
    assert.match(text, /A member/)
    assert.ok(!text.includes('Amina'))
    const both = await visitAs(minaret(), await makeStaff(database(), { masjid, capabilities: ['events', 'people'] }))
    assert.match((await both.get(path)).text, /Amina/)
    const member = await visitAs(minaret(), await makeStaff(database(), { masjid }))
    assert.equal((await member.get(path)).status, 404)
    const announcer = await visitAs(minaret(), await makeStaff(database(), { masjid, capabilities: ['announcements'] }))
    assert.equal((await announcer.get(path)).status, 403)
  })

  test('are nobody’s at another masjid, whatever ids are sent', async () => {
    const { masjid, person, base } = await enter()
    await create(person, base)
    await fillDates()
    const [row] = await rowsAt(masjid)
    const [date] = await datesAt(masjid)
    const elsewhere = await enter()
    const token =
      /name="anti_forgery" value="([^"]*)"/.exec((await elsewhere.person.get(elsewhere.base)).text)?.[1] ?? ''
    const posts = [
      `${row?.id}`,
      `${row?.id}/delete`,
      `${row?.id}/restore`,
      `dates/${date?.id}/cancel`,
      `dates/${date?.id}/keep`,
    ]
    for (const path of posts) {
      const sent = await elsewhere.person.post(`${elsewhere.base}/${path}`, {
        anti_forgery: token,
        ...lecture,
        version: '1',
      })
      assert.equal(sent.status, 404, path)
    }
    for (const path of [`${row?.id}`, `dates/${date?.id}/answers`, `dates/${date?.id}/cancel`])
      assert.equal((await elsewhere.person.get(`${elsewhere.base}/${path}`)).status, 404, path)
    assert.deepEqual(await rowsAt(masjid), [row])
  })
})
