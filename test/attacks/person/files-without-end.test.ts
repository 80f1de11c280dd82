// Somebody who looks after a masjid's times uploads, or publishes at an address that is followed, what takes for ever to read: others
// must not notice, and it is refused with words.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { sql } from '../../../src/db/sql.ts'
import { readSheet } from '../../../src/sheets/read-sheet.ts'
import { listFollowed } from '../../../src/timetables/follow/followed.ts'
import { confirmColumns } from '../../staff/times/confirm-columns.ts'
import { uploadTo } from '../../staff/times/upload-to.ts'
import { dayFrom, TOMORROW, yearIcs } from '../../staff/times/year.ts'
import { workbookParts, zipFile } from '../../staff/timetables/xlsx-file.ts'
import { makeMasjid, makeStaff, visitAs } from '../../staff/use-staff.ts'
import { type ImageHost, openImageHost } from '../../support/image-host.ts'
import { startTestMinaret, type TestMinaret } from '../../support/minaret.ts'
import { within } from '../../support/oauth.ts'
import type { Person, Shown } from '../../support/person.ts'
import { fillDays } from '../../support/prayer-times.ts'
import { whileAsking } from '../bystander.ts'

const event = (lines: readonly string[], title = 'Fajr Iqamah'): string =>
  ['BEGIN:VEVENT', 'DTSTART:20260101T060000', ...lines, `SUMMARY:${title}`, 'END:VEVENT'].join('\r\n')

const calendar = (...parts: readonly string[]): string =>
  ['BEGIN:VCALENDAR', 'VERSION:2.0', ...parts, 'END:VCALENDAR'].join('\r\n')

const endless = {
  'a day that does not exist': calendar(event(['RRULE:FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30'])),
  'a step without end': calendar(event(['RRULE:FREQ=DAILY;INTERVAL=999999999'])),
  'seconds of a month that never comes': calendar(event(['RRULE:FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=31'])),
}

/** A workbook that names its one sheet so many times. */
const repeating = (times: number, rows = 200): Buffer => {
  const cells = Array.from({ length: rows }, (_, index) => [dayFrom('2026-01-01', index), '06:40'])
  const parts = workbookParts({ sheets: { Times: [['Date', 'Fajr Iqamah'], ...cells] } })
  const named = (text: string): string =>
    text.replace(/<sheet [^>]*\/>/, sheet => Array.from({ length: times }, () => sheet).join(''))
  return zipFile(
    [...parts].map(([name, text]) => ({
      name,
      content: Buffer.from(name === 'xl/workbook.xml' ? named(text) : text),
    })),
  )
}

const zoned = (offset: string): string =>
  calendar(
    'BEGIN:VTIMEZONE',
    'TZID:America/Chicago',
    'BEGIN:STANDARD',
    'DTSTART:19700101T000000',
    `TZOFFSETFROM:${offset}`,
    `TZOFFSETTO:${offset}`,
    'END:STANDARD',
    'END:VTIMEZONE',
    event([]).replace('DTSTART:', 'DTSTART;TZID=America/Chicago:'),
  )

describe('a file without end', () => {
  let host: ImageHost
  let minaret: TestMinaret
  before(async () => {
    host = await openImageHost()
    minaret = await startTestMinaret({}, { dial: { ...host.dial, timeoutMs: 4000 } })
  })
  after(async () => {
    await minaret.stop()
    await host.close()
  })

  const enter = async (): Promise<{ person: Person; base: string; id: string }> => {
    const { database } = minaret.service
    const masjid = await makeMasjid(database)
    const user = await makeStaff(database, { masjid, capabilities: ['times', 'people', 'giving'] })
    return { person: await visitAs(minaret, user), base: `/staff/${masjid.slug}/times`, id: masjid.id }
  }

  const upload = async (content: string | Buffer, name: string): Promise<Shown> => {
    const { person, base } = await enter()
    return whileAsking(minaret, () => uploadTo(person, base, { name, content }))
  }

  for (const [what, text] of Object.entries(endless))
    test(`as a calendar with ${what} is refused, and others are answered meanwhile`, async () => {
      const sent = await upload(text, 'times.ics')
      assert.equal(sent.status, 422)
      assert.match(sent.text, /It takes too long to read/)
    })

  test('or of fifty daily events is read beside the others', async () => {
    const many = Array.from({ length: 50 }, (_, index) => event(['RRULE:FREQ=DAILY'], `Event ${index}`))
    const sent = await upload(calendar(...many), 'times.ics')
    assert.ok([303, 422].includes(sent.status), String(sent.status))
    assert.ok(sent.status === 303 || /too large|too long/.test(sent.text))
  })

  test('as a workbook that names one sheet 150 times is that one sheet', async () => {
    const sheet = await readSheet(repeating(150), 'UTC')
    assert.equal(sheet.rows.length, 201)
    const sent = await upload(repeating(150), 'times.xlsx')
    assert.equal(sent.status, 303)
  })

  test('whose time zone has another one’s name changes how no other file is read', async () => {
    const clockOf = async (text: string) => (await readSheet(Buffer.from(text), 'America/Chicago')).rows[1]?.[1]
    assert.equal(await clockOf(zoned('+0900')), '15:00', 'six in the morning at +09:00, on the clock of Chicago')
    assert.equal(await clockOf(zoned('-0600')), '06:00')
    const { person, base } = await enter()
    await uploadTo(person, base, { name: 'times.ics', content: zoned('+0900') })
    assert.equal(await clockOf(zoned('-0600')), '06:00')
  })

  test('that is long words in every cell is refused or read, and its draft is looked at beside the others', async () => {
    const row = Array.from({ length: 60 }, () => 'a1 b2 é '.repeat(20)).join(',')
    const refused = await upload(Array.from({ length: 300 }, () => row).join('\n'), 'times.csv')
    assert.equal(refused.status, 422)
    assert.match(refused.text, /too large/)
    const dates = Array.from({ length: 700 }, () =>
      Array.from({ length: 60 }, () => 'Thursday, 1 Jan 2026').join('","'),
    )
    const { person, base } = await enter()
    const content = `Date,Fajr Iqamah,Dhuhr Iqamah,Asr Iqamah\n"${dates.join('"\n"')}"`
    const { location = '' } = await whileAsking(minaret, () => uploadTo(person, base, { name: 'a.csv', content }))
    const shown = await whileAsking(minaret, () => person.get(location))
    assert.ok([200, 422].includes(shown.status), String(shown.status))
  })

  test('at a followed address is read three times, then only when somebody asks', async () => {
    const { person, base, id } = await enter()
    const { database } = minaret.service
    await fillDays(database, { from: dayFrom(TOMORROW, -2), days: 20 })
    let text = yearIcs({ days: 10 })
    host.answers.set('/times.ics', (_request, response) => void response.writeHead(200).end(text))
    const { location: draft = '' } = await uploadTo(person, base, { address: 'https://logo.test/times.ics' })
    await confirmColumns(person, draft)
    await person.submit(`${draft}/preview`, `${draft}/publish`, {})
    text = endless['a day that does not exist']
    const source = async () => (await listFollowed(database, id))[0]
    const press = async (): Promise<void> => {
      const asked = await whileAsking(minaret, async () =>
        person.submit(base, `${base}/sources/${(await source())?.id}/fetch`, {}),
      )
      assert.equal(asked.location, base)
    }
    for (const isSwitchedOff of [false, false, true]) {
      await press()
      const { failure, isSwitchedOff: isOff } = (await source()) ?? {}
      assert.deepEqual([failure, isOff], ['too_costly', isSwitchedOff])
    }
    assert.match((await person.get(base)).text, /no longer read by itself/)
    const row = await database.first<{ due: boolean }>(sql`
      select next_attempt_at < now() + interval '10 years' as due from public.followed_sources
      where source_id = ${(await source())?.id}`)
    assert.equal(row?.due, false, 'the job leaves it alone')
    text = yearIcs({ days: 10, isha: () => '22:45' })
    await person.submit(base, `${base}/sources/${(await source())?.id}/fetch`, {})
    await within(60_000, 'the source is followed again', async () => {
      const { failure, isSwitchedOff } = (await source()) ?? {}
      return failure === null && isSwitchedOff === false
    })
  })
})
