// From a file to times that apps see, without script: upload, columns, preview, publish, undo.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from '../../../src/db/sql.ts'
import { useMinaret } from '../../support/minaret.ts'
import { decodeHtml, hiddenFieldsOf, type Person } from '../../support/person.ts'
import { fillDays } from '../../support/prayer-times.ts'
import { type Masjid, makeMasjid, makeStaff, visitAs } from '../use-staff.ts'
import { confirmColumns } from './confirm-columns.ts'
import { uploadTo } from './upload-to.ts'
import { dayFrom, TOMORROW, yearCsv } from './year.ts'

describe('a timetable', () => {
  const minaret = useMinaret()
  const database = () => minaret().service.database

  const ready = async (days = 40): Promise<{ masjid: Masjid; person: Person; base: string }> => {
    const masjid = await makeMasjid(database())
    await fillDays(database(), { from: dayFrom(TOMORROW, -2), days })
    const person = await visitAs(minaret(), await makeStaff(database(), { masjid, capabilities: ['times'] }))
    return { masjid, person, base: `/staff/${masjid.slug}/times` }
  }

  const ishaOf = async ({ id }: Masjid, date: string) =>
    database().first<{ source: string; iqamah: string | null }>(sql`
      select source, to_char(iqamah_local, 'HH24:MI') as iqamah from public.pc_prayer_times
      where masjid_id = ${id} and date = ${date} and prayer = 'isha'`)

  test('of a year is uploaded, looked at, published and undone', async () => {
    const { masjid, person, base } = await ready()
    const sent = await uploadTo(person, base, { name: 'times 2027.csv', content: yearCsv() })
    assert.equal(sent.status, 303, sent.text)
    const draft = sent.location ?? ''
    const confirmed = await confirmColumns(person, draft)
    assert.equal(confirmed.location, `${draft}/preview`, confirmed.text)
    const preview = await person.get(`${draft}/preview`)
    assert.equal(preview.status, 200, preview.text)
    assert.match(preview.text, /<svg[\s\S]*class="given"/)
    const published = await person.submit(`${draft}/preview`, `${draft}/publish`, {})
    assert.equal(published.location, `${base}?done=published`, published.text)
    assert.deepEqual(await ishaOf(masjid, TOMORROW), { source: 'uploaded', iqamah: '22:30' })
    const list = await person.get(base)
    assert.match(list.text, /times 2027\.csv/)
    const undo = decodeHtml(/href="([^"]*\/undo)"/.exec(list.text)?.[1] ?? '')
    assert.equal((await person.submit(undo, undo, {})).location, `${base}?done=undone`)
    assert.equal((await ishaOf(masjid, TOMORROW))?.source, 'calculated')
  })

  test('is pasted; what is not known is asked, and kept while it is answered', async () => {
    const { masjid, person, base } = await ready()
    const rows = [
      'Date\tFajr\tDhuhr\tIsha',
      ...[0, 1, 2].map(index => `${dayFrom(TOMORROW, index)}\t06:20\t13:30\t22:00`),
    ]
    const sent = await uploadTo(person, base, { pasted: rows.join('\n') })
    const draft = sent.location ?? ''
    const unanswered = await confirmColumns(person, draft)
    assert.equal(unanswered.status, 422)
    assert.match(unanswered.text, /<title>Error: /)
    assert.match(unanswered.text, /href="#plain"/)
    const answered = await confirmColumns(person, draft, { plain: 'iqamah' })
    assert.equal(answered.location, `${draft}/preview`, answered.text)
    await person.submit(`${draft}/preview`, `${draft}/publish`, {})
    assert.equal((await ishaOf(masjid, TOMORROW))?.iqamah, '22:00')
  })

  test('shows what is doubtful: before the adhan, a jump, missing days', async () => {
    const { person, base } = await ready()
    const csv = yearCsv({ days: 10, isha: index => (index === 4 ? '15:00' : '22:30') }).split('\n')
    csv.splice(8, 1)
    const draft = (await uploadTo(person, base, { name: 'a.csv', content: csv.join('\n') })).location ?? ''
    await confirmColumns(person, draft)
    const { text } = await person.get(`${draft}/preview?show=doubtful`)
    assert.match(text, /Isha: before the adhan/)
    assert.match(text, /Isha: more than 20 minutes from the day before/)
    assert.match(text, /Fajr: missing/)
  })

  test('comes back with what was typed when nothing can be read', async () => {
    const { person, base } = await ready(3)
    const none = await uploadTo(person, base, {})
    assert.equal(none.status, 422)
    assert.match(none.text, /Choose a file, paste a table or give an address/)
    const pdf = await uploadTo(person, base, { name: 'a.pdf', content: '%PDF-1.7 …' })
    assert.equal(pdf.status, 422)
    assert.match(pdf.text, /not a spreadsheet/)
    const address = await uploadTo(person, base, { address: 'http://sheet.test/a.csv' })
    assert.match(address.text, /value="http:\/\/sheet\.test\/a\.csv"/)
  })

  test('needs the capability, and the draft of another masjid does not exist', async () => {
    const { masjid, person, base } = await ready(3)
    const draft = (await uploadTo(person, base, { name: 'a.csv', content: yearCsv({ days: 3 }) })).location ?? ''
    const elsewhere = await ready(3)
    const foreign = draft.replace(base, elsewhere.base)
    for (const path of [foreign, `${foreign}/preview`]) assert.equal((await elsewhere.person.get(path)).status, 404)
    const fields = hiddenFieldsOf((await elsewhere.person.get(elsewhere.base)).text, `${elsewhere.base}/sheets`)
    assert.equal((await elsewhere.person.post(`${foreign}/publish`, fields)).status, 404)
    const announcer = await visitAs(minaret(), await makeStaff(database(), { masjid, capabilities: ['announcements'] }))
    assert.equal((await announcer.get(base)).status, 403)
    assert.equal((await announcer.get(draft)).status, 403)
  })
})
