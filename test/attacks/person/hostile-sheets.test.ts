// Somebody who looks after a masjid's times uploads files that are built to do harm.
import assert from 'node:assert/strict'
import { request } from 'node:http'
import { describe, test } from 'node:test'
import { deflateRawSync } from 'node:zlib'
import { sql } from '../../../src/db/sql.ts'
import { readSheet } from '../../../src/sheets/read-sheet.ts'
import { sendForm } from '../../staff/send-form.ts'
import { uploadTo } from '../../staff/times/upload-to.ts'
import { workbookParts, xlsxFile, zipFile } from '../../staff/timetables/xlsx-file.ts'
import { makeMasjid, makeStaff, visitAs } from '../../staff/use-staff.ts'
import { useMinaret } from '../../support/minaret.ts'
import { within } from '../../support/oauth.ts'
import { hiddenFieldsOf, type Person } from '../../support/person.ts'

const workbook = {
  sheets: {
    Times: [
      ['Date', 'Fajr Iqamah'],
      ['2026-01-01', '06:40'],
    ],
  },
}
const SHEET = 'xl/worksheets/sheet1.xml'

/** The parts of a workbook, one of them replaced. */
const replaced = (name: string, content: Buffer, more: { deflated?: Buffer; claimed?: number } = {}): Buffer =>
  zipFile(
    [...workbookParts(workbook)].map(([part, text]) =>
      part === name ? { name, content, ...more } : { name: part, content: Buffer.from(text) },
    ),
  )

const zeros = Buffer.alloc(64 * 1024 * 1024, 32)

describe('a hostile sheet', () => {
  test('that unpacks to 64 MB is refused before it is unpacked', async () => {
    const bomb = replaced(SHEET, zeros, { deflated: deflateRawSync(zeros) })
    const before = process.memoryUsage().arrayBuffers
    await assert.rejects(readSheet(bomb, 'UTC'), { reason: 'dangerous' })
    assert.ok(process.memoryUsage().arrayBuffers - before < 8 * 1024 * 1024)
  })

  test('that lies about its size is refused while it is unpacked', async () => {
    const bomb = replaced(SHEET, zeros, { deflated: deflateRawSync(zeros), claimed: 1000 })
    await assert.rejects(readSheet(bomb, 'UTC'), { reason: 'broken' })
  })

  test('with many files is refused', async () => {
    const many = zipFile(
      Array.from({ length: 600 }, (_, index) => ({ name: `${index}.xml`, content: Buffer.from('<a/>') })),
    )
    await assert.rejects(readSheet(many, 'UTC'), { reason: 'dangerous' })
  })

  test('with entities that stand for entities is refused, in whatever part they are', async () => {
    const bomb = Buffer.from('<!DOCTYPE a [<!ENTITY b "aaaa"><!ENTITY c "&b;&b;&b;&b;">]><worksheet>&c;</worksheet>')
    for (const part of [SHEET, 'xl/workbook.xml', 'xl/styles.xml'])
      await assert.rejects(readSheet(replaced(part, bomb), 'UTC'), { reason: 'dangerous' }, part)
  })

  test('that is cut off or damaged is refused', async () => {
    const whole = xlsxFile(workbook)
    for (const size of [10, 100, whole.length - 5])
      await assert.rejects(readSheet(whole.subarray(0, size), 'UTC'), { reason: 'broken' })
    await assert.rejects(readSheet(replaced(SHEET, Buffer.from('<worksheet><row>')), 'UTC'), { reason: 'broken' })
  })

  test('with dates beyond the calendar has numbers there', async () => {
    const cells = [-1e300, -5, 2_958_466, 1e15, 1e300].map(date => [{ date }])
    const { rows } = await readSheet(xlsxFile({ sheets: { Times: [['Date'], [{ date: 46_023 }], ...cells] } }), 'UTC')
    assert.deepEqual(rows.slice(0, 5).flat(), ['Date', '2026-01-01', '-1e+300', '-5', '2958466'])
    assert.equal(rows.length, 7)
  })

  const minaret = useMinaret()

  const uploads = ['times/sheets', 'people/import', 'giving/import'] as const
  const enter = async (): Promise<{ person: Person; home: string }> => {
    const { database } = minaret().service
    const masjid = await makeMasjid(database)
    const user = await makeStaff(database, { masjid, capabilities: ['times', 'people', 'giving'] })
    return { person: await visitAs(minaret(), user), home: `/staff/${masjid.slug}` }
  }
  const cookieOf = ({ cookies }: Person): string => [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')

  /** The status of the answer to an upload of which only the head, and perhaps a little more, is ever sent. */
  const announce = (path: string, headers: Record<string, string | number>): Promise<number | undefined> =>
    new Promise((resolve, reject) => {
      const url = new URL(path, minaret().baseUrl)
      const fixed = { accept: 'text/html', 'content-type': 'multipart/form-data; boundary=x' }
      const asked = request(url, { method: 'POST', headers: { ...fixed, ...headers } }, response => {
        resolve(response.statusCode)
        asked.destroy()
      })
      asked.on('error', reject)
      // Whoever waited for the body would not answer.
      asked.flushHeaders()
    })

  test('of 50 MB is refused before it is read', async () => {
    const { person, home } = await enter()
    for (const path of uploads) {
      const headers = { cookie: cookieOf(person), 'content-length': 50 * 1024 * 1024 }
      assert.equal(await announce(`${home}/${path}`, headers), 413, path)
    }
  })

  test('of somebody who is not signed in is not read at all', async () => {
    const { home } = await enter()
    for (const path of uploads)
      for (const cookie of ['', `minaret_session=${'x'.repeat(43)}`])
        assert.equal(await announce(`${home}/${path}`, { cookie, 'content-length': 4 * 1024 * 1024 }), 303, path)
  })

  /** Begins an upload, and sends a little of it. */
  const dawdle = (path: string, cookie: string): { status: Promise<number | undefined>; stop: () => void } => {
    const status = Promise.withResolvers<number | undefined>()
    const headers = {
      cookie,
      accept: 'text/html',
      'content-type': 'multipart/form-data; boundary=x',
      'content-length': 9000,
    }
    const asked = request(new URL(path, minaret().baseUrl), { method: 'POST', headers, agent: false }, response =>
      status.resolve(response.statusCode),
    )
    asked.on('error', () => status.resolve(undefined))
    asked.write('--x\r\nContent-Disposition: form-data; name="pasted"\r\n\r\n')
    return { status: status.promise, stop: () => asked.destroy() }
  }

  test('sent slowly many times over takes two places of the person, and none of anybody else', async () => {
    const { person, home } = await enter()
    const [path, cookie] = [`${home}/times/sheets`, cookieOf(person)]
    const slow = Array.from({ length: 5 }, () => dawdle(path, cookie))
    const refused = await Promise.race(slow.map(({ status }) => status))
    assert.equal(refused, 429)
    const other = await enter()
    const file = { name: 'a.csv', content: 'Date,Fajr Iqamah\n2026-01-01,06:40' }
    const sent = await sendForm(other.person, {
      page: `${other.home}/times`,
      action: `${other.home}/times/sheets`,
      file,
    })
    assert.equal(sent.status, 303)
    for (const { stop } of slow) stop()
    await within(60_000, 'the places are free again', async () => {
      const again = await sendForm(person, { page: `${home}/times`, action: path, file })
      return again.status === 303
    })
  })

  test('of another masjid’s staff, or of somebody who was dismissed meanwhile, is refused', async () => {
    const { database } = minaret().service
    const masjid = await makeMasjid(database)
    const capabilities = ['times', 'people', 'giving'] as const
    const user = await makeStaff(database, { masjid, capabilities })
    const dismissed = await visitAs(minaret(), user)
    const { person: stranger, home: elsewhere } = await enter()
    const tokenOf = async (person: Person, page: string): Promise<FormData> => {
      const fields = new FormData()
      fields.set('anti_forgery', hiddenFieldsOf((await person.get(page)).text, page).anti_forgery ?? '')
      fields.set('sheet', new Blob(['Date,Amount\n2026-01-01,5']), 'a.csv')
      return fields
    }
    const open = await tokenOf(dismissed, `/staff/${masjid.slug}/giving/import`)
    const theirs = await tokenOf(stranger, `${elsewhere}/giving/import`)
    await database.run(sql`update public.ua_members set status = 'inactive' where user_id = ${user.id}`)
    for (const path of uploads) {
      assert.equal((await dismissed.send(`/staff/${masjid.slug}/${path}`, open)).status, 404, path)
      assert.equal((await stranger.send(`/staff/${masjid.slug}/${path}`, theirs)).status, 404, path)
    }
    const rows = await database.query(sql`
      select masjid_id from public.timetable_drafts where masjid_id = ${masjid.id}
      union all select masjid_id from public.ua_donations where masjid_id = ${masjid.id}`)
    assert.deepEqual(rows, [])
  })

  test('that is a bomb, a page or damaged is refused wherever lists come as a file, and nothing is written', async () => {
    const { person, home } = await enter()
    const bomb = replaced(SHEET, zeros, { deflated: deflateRawSync(zeros) })
    for (const page of [`${home}/people/import`, `${home}/giving/import`])
      for (const [content, words] of [
        [bomb, /built in a way that could do harm/],
        [Buffer.from('<!doctype html><script>alert(1)</script>'), /not a spreadsheet/],
        [xlsxFile(workbook).subarray(0, 100), /damaged/],
        [Buffer.from(`a,b\n${'1,2\n'.repeat(2500)}`), /more than 2,000 rows/],
      ] as const) {
        const sent = await sendForm(person, { page, file: { name: 'list.xlsx', content } })
        assert.equal(sent.status, 422)
        assert.match(sent.text, words)
      }
  })

  test('pasted with more than 1 MB is refused, never cut off and read as a shorter one', async () => {
    const { person, home } = await enter()
    const long = `Date,Amount\n${'2026-01-01,5.00\n'.repeat(70_000)}`
    for (const [page, action, field] of [
      [`${home}/times`, `${home}/times/sheets`, 'pasted'],
      [`${home}/people/import`, `${home}/people/import`, 'list'],
      [`${home}/giving/import`, `${home}/giving/import`, 'text'],
    ] as const)
      assert.equal((await sendForm(person, { page, action, fields: { [field]: long } })).status, 413, field)
  })

  test('over 5 MB is refused, also where its length is not announced', async () => {
    const { database } = minaret().service
    const masjid = await makeMasjid(database)
    const person = await visitAs(minaret(), await makeStaff(database, { masjid, capabilities: ['times'] }))
    const sent = await uploadTo(person, `/staff/${masjid.slug}/times`, {
      name: 'a.csv',
      content: Buffer.alloc(5.5 * 1024 * 1024, 'a'),
    })
    assert.equal(sent.status, 413)
  })

  test('without our form is refused', async () => {
    const { database } = minaret().service
    const masjid = await makeMasjid(database)
    const person = await visitAs(minaret(), await makeStaff(database, { masjid, capabilities: ['times'] }))
    const fields = new FormData()
    fields.set('pasted', 'Date\tFajr Iqamah\n2026-01-01\t06:00')
    assert.equal((await person.send(`/staff/${masjid.slug}/times/sheets`, fields)).status, 403)
  })

  test('shows its formulas and markup as text', async () => {
    const { database } = minaret().service
    const masjid = await makeMasjid(database)
    const person = await visitAs(minaret(), await makeStaff(database, { masjid, capabilities: ['times'] }))
    const pasted =
      'Date,Fajr Iqamah,Dhuhr Iqamah,"<script>alert(1)</script> Isha Iqamah"\n2026-01-01,=HYPERLINK("https://evil.test"),13:00,19:00'
    const { location } = await uploadTo(person, `/staff/${masjid.slug}/times`, { pasted })
    const { text } = await person.get(location ?? '')
    assert.ok(!text.includes('<script>alert') && text.includes('&#60;script&#62;alert'))
    assert.ok(!text.includes('href="https://evil.test'))
  })
})
