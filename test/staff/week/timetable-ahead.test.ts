// A year was published from a sheet, and then one prayer is changed on the page "This week": what the year keeps, as a secretary sees it.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from '../../../src/db/sql.ts'
import { dateWords } from '../../../src/site/hall/date-words.ts'
import { nearDay } from '../../../src/site/staff/times/day-words.ts'
import { insertRule } from '../../support/iqamah.ts'
import { useMinaret } from '../../support/minaret.ts'
import { decodeHtml, hiddenFieldsOf, type Person, type Shown } from '../../support/person.ts'
import { fillDays } from '../../support/prayer-times.ts'
import { confirmColumns } from '../times/confirm-columns.ts'
import { uploadTo } from '../times/upload-to.ts'
import { dayFrom, yearCsv } from '../times/year.ts'
import { type Masjid, makeMasjid, makeStaff, visitAs } from '../use-staff.ts'

describe('a prayer changed on the page, with a year published ahead', () => {
  const minaret = useMinaret()
  const database = () => minaret().service.database
  const today = new Date().toISOString().slice(0, 10)
  const day = (days: number): string => dayFrom(today, days)

  interface Here {
    readonly masjid: Masjid
    readonly person: Person
    readonly base: string
  }

  const publishYear = async ({ person, base }: Here, start: string, days = 20): Promise<Shown> => {
    const times = `${base}/times`
    const draft =
      (await uploadTo(person, times, { name: 'year.csv', content: yearCsv({ start, days }) })).location ?? ''
    await confirmColumns(person, draft)
    const preview = await person.get(`${draft}/preview`)
    const published = await person.submit(`${draft}/preview`, `${draft}/publish`, {})
    assert.equal(published.location, `${times}?done=published`, published.text)
    return preview
  }

  const prepare = async (start: number, days?: number): Promise<Here & { preview: Shown }> => {
    const masjid = await makeMasjid(database(), { timezone: 'UTC' })
    await fillDays(database(), { from: day(-2), days: 30 })
    const person = await visitAs(minaret(), await makeStaff(database(), { masjid, capabilities: ['times'] }))
    const here = { masjid, person, base: `/staff/${masjid.slug}` }
    return { ...here, preview: await publishYear(here, day(start), days) }
  }

  /** Whether a published time stands on each day. */
  const published = async ({ masjid }: Here, from: number, days: number): Promise<boolean[]> => {
    const rows = await database().query<{ published: boolean }>(sql`
      select source = 'uploaded' as published from pc_prayer_times
      where masjid_id = ${masjid.id} and prayer = 'fajr' and date between ${day(from)} and ${day(from + days - 1)} order by date`)
    return rows.map(row => row.published)
  }

  const change = { prayer: 'fajr', session: '1', lasts: 'on', how: 'offset', offset_minutes: '20' }

  const previewChange = ({ person, base }: Here, first: number): Promise<Shown> =>
    person.submit(`${base}/week/change?prayer=fajr&session=1`, `${base}/week/preview`, {
      ...change,
      first_on: day(first),
    })

  const send = ({ person, base }: Here, shown: Shown, fields: Record<string, string> = {}): Promise<Shown> =>
    person.post(`${base}/week/publish`, {
      ...hiddenFieldsOf(shown.text, `${base}/week/publish`),
      when: 'now',
      ...fields,
    })

  const words = (text: string): string => decodeHtml(text.replaceAll(/<[^>]*>/g, ''))
  const onPage = (date: string): string => nearDay({ language: 'en' }, date, today)

  test('keeps every day of the year; its end and what holds when are said on every page', async () => {
    const here = await prepare(5)
    const { person, base } = here
    await insertRule(database(), here.masjid.id, { prayer: 'fajr', rule: 'offset', offset_minutes: 15 })
    const shown = await previewChange(here, 1)
    assert.match(
      words(shown.text),
      new RegExp(`Fajr from .* to ${dateWords('en', day(4))}: 20 minutes after the adhan`),
    )
    assert.ok(
      words(shown.text).includes(
        `From ${onPage(day(5))} the times are those of the timetable you published on ${onPage(today)}: “year.csv”. The change ends`,
      ),
      words(shown.text),
    )
    assert.doesNotMatch(shown.text, /name="replace_timetables"/)
    const done = await send(here, shown)
    assert.equal(done.status, 303, done.text)
    assert.deepEqual(await published(here, 3, 4), [false, false, true, true])
    const week = words((await person.get(`${base}/week`)).text)
    assert.ok(week.includes(`The timetable “year.csv” starts ${onPage(day(5))}; until then: `), week)
    assert.ok(week.includes(`From ${onPage(day(5))}: timetable “year.csv”.`), week)
    const sessions = words((await person.get(`${base}/week/sessions`)).text)
    assert.match(sessions, /From [^.]*: timetable “year\.csv”\./)
    const times = words((await person.get(`${base}/times`)).text)
    assert.ok(times.includes(`This timetable starts ${onPage(day(5))}; until then: `), times)
    assert.match(
      times,
      new RegExp(`Fajr: 15 minutes after the adhan until ${onPage(today)}, then 20 minutes after the adhan`),
    )
    assert.doesNotMatch(times, /are in force/)
  })

  test('asks inside of it, with the number of days, and is taken back to all of them', async () => {
    const here = await prepare(-1, 365)
    const { person, base } = here
    const form = await person.get(`${base}/week/change?prayer=fajr&session=1&from=${day(1)}`)
    assert.match(form.text, /value="fixed" checked[\s\S]*value="06:20"/)
    const shown = await previewChange(here, 1)
    assert.equal(shown.status, 200, shown.text)
    assert.ok(
      words(shown.text).includes(`replaces 363 days of the timetable you published on ${onPage(today)}`),
      shown.text,
    )
    const unasked = await send(here, shown)
    assert.equal(unasked.status, 422)
    assert.match(unasked.text, /href="#replace_timetables"/)
    assert.deepEqual(await published(here, 0, 3), [true, true, true])
    const done = await send(here, unasked, { replace_timetables: 'yes' })
    assert.equal(done.status, 303, done.text)
    assert.deepEqual(await published(here, 0, 3), [true, false, false])
    const times = words((await person.get(`${base}/times`)).text)
    const all = Number(/· (\d+) times/.exec(times)?.[1])
    assert.ok(times.includes(`${all - 363} of ${all} times are in force.`), times)
    assert.ok(times.includes(`363 are replaced by later changes: Fajr, from ${onPage(day(1))}.`), times)
    const undo = /week\/undo\?change=[0-9a-f-]+/.exec(decodeHtml((await person.get(`${base}/week`)).text))?.[0]
    await person.submit(`${base}/${undo}`, `${base}/week/undo`, {})
    assert.deepEqual(await published(here, 0, 3), [true, true, true])
    assert.doesNotMatch((await person.get(`${base}/times`)).text, /are in force/)
  })

  test('asks again if a timetable was published between preview and publishing', async () => {
    const here = await prepare(8)
    const shown = await previewChange(here, 1)
    await publishYear(here, day(0))
    const late = await send(here, shown)
    assert.equal(late.status, 422)
    assert.match(late.text, /Somebody else published a timetable/)
    assert.match(words(late.text), /replaces 19 days of the timetable[^.]*\.csv”\.This replaces 8 days/)
    await publishYear(here, day(-1))
    const again = await send(here, late, { replace_timetables: 'yes' })
    assert.equal(again.status, 422)
    assert.match(words(again.text), /replaces 18 days of the timetable/)
    assert.doesNotMatch(again.text, /name="replace_timetables"[^>]* checked/)
    assert.deepEqual(await published(here, 0, 3), [true, true, true])
  })

  test('is told what holds until a sheet starts, before and after it is published', async () => {
    const here = await prepare(0)
    const newer = words((await publishYear(here, day(9))).text)
    assert.ok(newer.includes(`This timetable starts ${onPage(day(9))}; until then: timetable “year.csv”`), newer)
    const times = words((await here.person.get(`${here.base}/times?done=published`)).text)
    assert.match(times, /Published\. Apps, screens and calendars show it from its first day on\./)
    assert.ok(times.includes(`are replaced by newer timetables.`), times)
  })
})
