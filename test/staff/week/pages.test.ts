// The pages of "This week" without script: the form, the preview, publishing, planning, taking back.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from '../../../src/db/sql.ts'
import { daysAfter } from '../../support/dates.ts'
import { insertRule } from '../../support/iqamah.ts'
import { useMinaret } from '../../support/minaret.ts'
import { decodeHtml, hiddenFieldsOf, type Person, type Shown } from '../../support/person.ts'
import { fillDays } from '../../support/prayer-times.ts'
import { type Masjid, makeMasjid, makeStaff, visitAs } from '../use-staff.ts'

const zone = 'America/New_York'
const day = (days: number): string =>
  daysAfter(new Intl.DateTimeFormat('en-CA', { timeZone: zone }).format(new Date()), days)

describe('the pages of this week', () => {
  const minaret = useMinaret()
  const database = () => minaret().service.database

  const prepare = async (): Promise<{ masjid: Masjid; person: Person; base: string }> => {
    const masjid = await makeMasjid(database(), { timezone: zone })
    await fillDays(database(), { from: day(-2), days: 40 })
    await insertRule(database(), masjid.id, { prayer: 'isha', rule: 'fixed', fixed_time: '20:00' })
    await insertRule(database(), masjid.id, {
      prayer: 'jumuah',
      rule: 'fixed',
      fixed_time: '13:15',
      khutbah_minutes: 20,
    })
    const person = await visitAs(minaret(), await makeStaff(database(), { masjid, capabilities: ['times'] }))
    return { masjid, person, base: `/staff/${masjid.slug}/week` }
  }

  const isha = { prayer: 'isha', session: '1', lasts: 'on', how: 'fixed', fixed_time: '20:30' }

  const preview = async ({ person, base }: { person: Person; base: string }, fields: Record<string, string>) =>
    person.submit(`${base}/change?prayer=${fields.prayer}&session=1`, `${base}/preview`, fields)

  /** Sends the form of the preview that was shown. */
  const publish = ({ person, base }: { person: Person; base: string }, shown: Shown, fields: Record<string, string>) =>
    person.post(`${base}/publish`, { ...hiddenFieldsOf(shown.text, `${base}/publish`), ...fields })

  const ishaOf = async (masjid: Masjid, date: string): Promise<string | undefined> => {
    const row = await database().first<{ clock: string }>(sql`
      select to_char(iqamah_local, 'HH24:MI') as clock from pc_prayer_times
      where masjid_id = ${masjid.id} and prayer = 'isha' and date = ${date}`)
    return row?.clock
  }

  test('show seven days with adhan, iqamah and where they come from', async () => {
    const { person, base } = await prepare()
    const { status, text } = await person.get(base)
    assert.equal(status, 200, text)
    assert.equal(text.match(/<details class="week-day"/g)?.length, 7)
    assert.match(text, /<strong>20:00<\/strong>/)
    assert.match(text, /your rules/)
    assert.match(text, /calculated/)
  })

  test('start with the rule in force, preview both days and hall, and publish', async () => {
    const here = await prepare()
    const form = await here.person.get(`${here.base}/change?prayer=isha&session=1&from=${day(2)}`)
    assert.match(form.text, /value="20:00"/)
    const shown = await preview(here, { ...isha, first_on: day(2) })
    assert.equal(shown.status, 200, shown.text)
    assert.match(shown.text, /20:00<\/td><td><strong>20:30/)
    assert.match(shown.text, /class="hall"[\s\S]*20:15[\s\S]*20:30/)
    assert.equal(await ishaOf(here.masjid, day(2)), '20:00', 'a preview keeps nothing')
    const done = await publish(here, shown, { when: 'now' })
    assert.equal(done.status, 303, done.text)
    assert.match(
      decodeHtml((await here.person.get(done.location ?? '')).text),
      /Published\.[\s\S]*week\/undo\?change=[\s\S]*week-menu/,
    )
    assert.deepEqual([await ishaOf(here.masjid, day(1)), await ishaOf(here.masjid, day(2))], ['20:00', '20:30'])
  })

  test('ask before a change is taken back, and take it back', async () => {
    const here = await prepare()
    await publish(here, await preview(here, { ...isha, first_on: day(0) }), { when: 'now' })
    const undo = /\/week\/undo\?change=[0-9a-f-]+/.exec(decodeHtml((await here.person.get(here.base)).text))?.[0]
    const done = await here.person.submit(`/staff/${here.masjid.slug}${undo}`, `${here.base}/undo`, {})
    assert.equal(done.location, `${here.base}?done=undone`)
    assert.equal(await ishaOf(here.masjid, day(0)), '20:00')
    const again = await here.person.submit(`/staff/${here.masjid.slug}${undo}`, `${here.base}/undo`, {})
    assert.equal(again.status, 422)
    assert.match(again.text, /cannot be taken back any more/)
  })

  test('plan a change on the masjid’s clock, show it, and call it off', async () => {
    const here = await prepare()
    const shown = await preview(here, { ...isha, first_on: day(3) })
    const done = await publish(here, shown, { when: 'set', publish_date: day(1), publish_time: '21:00' })
    assert.match(done.location ?? '', /done=planned/)
    const row = await database().first<{ local: string }>(sql`
      select to_char(publish_at at time zone ${zone}, 'YYYY-MM-DD HH24:MI') as local from pc_iqamah_changes
      where masjid_id = ${here.masjid.id}`)
    assert.equal(row?.local, `${day(1)} 21:00`)
    const page = await here.person.get(here.base)
    assert.match(page.text, /Planned changes/)
    const off = await here.person.submit(here.base, `${here.base}/cancel`, {})
    assert.equal(off.location, `${here.base}?done=cancelled`)
    assert.equal(await ishaOf(here.masjid, day(3)), '20:00')
  })

  test('give a faulty form back as it was typed, with every fault', async () => {
    const here = await prepare()
    const wrong = await preview(here, { ...isha, first_on: '2020-01-01', fixed_time: '25:00', label: 'Kept' })
    assert.equal(wrong.status, 422)
    assert.match(wrong.text, /<title>Error: /)
    assert.match(wrong.text, /href="#first_on"/)
    assert.match(wrong.text, /href="#fixed_time"/)
    assert.match(wrong.text, /value="2020-01-01"/)
    const shown = await preview(here, { ...isha, first_on: day(3) })
    for (const [publish_date, field] of [
      [day(-1), 'publish_time'],
      ['2036-01-01', 'publish_date'],
      ['', 'publish_date'],
    ] as const) {
      const late = await publish(here, shown, { when: 'set', publish_date, publish_time: '21:00' })
      assert.equal(late.status, 422)
      assert.match(late.text, new RegExp(`href="#${field}"`))
    }
  })

  test('tell somebody whose preview is older than another’s change', async () => {
    const here = await prepare()
    const [first, second] = [
      await preview(here, { ...isha, first_on: day(1) }),
      await preview(here, { ...isha, first_on: day(1), fixed_time: '20:45' }),
    ]
    await publish(here, first, { when: 'now' })
    const late = await publish(here, second, { when: 'now' })
    assert.equal(late.status, 422)
    assert.match(late.text, /Somebody else changed this prayer/)
    assert.equal(await ishaOf(here.masjid, day(1)), '20:30')
    assert.equal((await publish(here, late, { when: 'now' })).status, 303)
    assert.equal(await ishaOf(here.masjid, day(1)), '20:45')
  })

  test('have a guest give the khutbah on one Friday, in the rows that apps read', async () => {
    const here = await prepare()
    const { text } = await here.person.get(`${here.base}/sessions`)
    const link = /\/week\/change\?prayer=jumuah[^"]*lasts=day/.exec(decodeHtml(text))?.[0] ?? ''
    const shown = await here.person.submit(`/staff/${here.masjid.slug}${link}`, `${here.base}/preview`, {
      lasts: 'day',
      first_on: /from=([\d-]+)/.exec(link)?.[1] ?? '',
      how: 'fixed',
      fixed_time: '13:15',
      khutbah_minutes: '30',
      imam: 'Dr. Guest',
      language: 'ur',
    })
    assert.equal(shown.status, 200, shown.text)
    assert.equal((await publish(here, shown, { when: 'now' })).status, 303)
    const rows = await database().query<{ imam: string | null; language: string | null; khutbah: string }>(sql`
      select imam, language, to_char(khutbah_local, 'HH24:MI') as khutbah from pc_prayer_times
      where masjid_id = ${here.masjid.id} and prayer = 'jumuah' and date between ${day(0)} and ${day(13)} order by date`)
    assert.deepEqual(rows, [
      { imam: 'Dr. Guest', language: 'ur', khutbah: '12:45' },
      { imam: null, language: null, khutbah: '12:55' },
    ])
  })

  test('are for those who look after times; a change of another masjid does not exist', async () => {
    const here = await prepare()
    const other = await prepare()
    await publish(other, await preview(other, { ...isha, first_on: day(1) }), { when: 'now' })
    const undo =
      /\/week\/undo\?change=([0-9a-f-]+)/.exec(decodeHtml((await other.person.get(other.base)).text))?.[1] ?? ''
    assert.equal((await here.person.get(`${here.base}/undo?change=${undo}`)).status, 404)
    const tokens = hiddenFieldsOf(
      (await here.person.get(`${here.base}/change?prayer=isha`)).text,
      `${here.base}/preview`,
    )
    for (const end of ['undo', 'cancel'])
      assert.equal((await here.person.post(`${here.base}/${end}`, { ...tokens, change: undo })).status, 404)
    const events = await makeStaff(database(), { masjid: here.masjid, capabilities: ['events'] })
    for (const path of ['', '/sessions', '/ramadan', '/change?prayer=isha'])
      assert.equal((await (await visitAs(minaret(), events)).get(`${here.base}${path}`)).status, 403)
  })

  test('publish nothing for somebody dismissed while the preview was open', async () => {
    const here = await prepare()
    const shown = await preview(here, { ...isha, first_on: day(1) })
    await database().run(sql`
      update ua_capabilities set withdrawn_at = now() where masjid_id = ${here.masjid.id} and withdrawn_at is null`)
    assert.equal((await publish(here, shown, { when: 'now' })).status, 404)
    assert.equal(await ishaOf(here.masjid, day(1)), '20:00')
  })
})
