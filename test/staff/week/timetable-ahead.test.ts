// A year was published from a sheet, and then one prayer is changed on the page "This week": what the year keeps, as a secretary sees it.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from '../../../src/db/sql.ts'
import { useMinaret } from '../../support/minaret.ts'
import { hiddenFieldsOf, type Person, type Shown } from '../../support/person.ts'
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

  const publishYear = async ({ person, base }: Here, start: string): Promise<Shown> => {
    const times = `${base}/times`
    const draft = (await uploadTo(person, times, { name: 'year.csv', content: yearCsv({ start }) })).location ?? ''
    await confirmColumns(person, draft)
    const preview = await person.get(`${draft}/preview`)
    const published = await person.submit(`${draft}/preview`, `${draft}/publish`, {})
    assert.equal(published.location, `${times}?done=published`, published.text)
    return preview
  }

  const prepare = async (start: number): Promise<Here & { preview: Shown }> => {
    const masjid = await makeMasjid(database(), { timezone: 'UTC' })
    await fillDays(database(), { from: day(-2), days: 30 })
    const person = await visitAs(minaret(), await makeStaff(database(), { masjid, capabilities: ['times'] }))
    const here = { masjid, person, base: `/staff/${masjid.slug}` }
    return { ...here, preview: await publishYear(here, day(start)) }
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
    person.submit(`${base}/week/change?prayer=fajr&session=1`, `${base}/week/preview`, { ...change, first_on: day(first) })

  const send = ({ person, base }: Here, shown: Shown, fields: Record<string, string> = {}): Promise<Shown> =>
    person.post(`${base}/week/publish`, { ...hiddenFieldsOf(shown.text, `${base}/week/publish`), when: 'now', ...fields })

  test('keeps every day of the year', async () => {
    const here = await prepare(5)
    const done = await send(here, await previewChange(here, 1))
    assert.equal(done.status, 303, done.text)
    assert.deepEqual(await published(here, 3, 4), [false, false, true, true])
  })
})
