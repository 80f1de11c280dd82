// Giving: gifts are recorded, taken back by reversals, totalled by fund, and confirmed by receipts.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from '../../src/db/sql.ts'
import { useMinaret } from '../support/minaret.ts'
import { decodeHtml, hiddenFieldsOf, type Person } from '../support/person.ts'
import { sendForm } from './send-form.ts'
import { xlsxFile } from './timetables/xlsx-file.ts'
import { type Masjid, makeMasjid, makeStaff, visitAs } from './use-staff.ts'

interface Row {
  readonly id: string
  readonly amount_minor: number
  readonly currency: string
  readonly fund: string
  readonly donor_name: string | null
  readonly donor_email: string | null
  readonly member_id: string | null
  readonly reverses_donation_id: string | null
  readonly day: string
}

describe('giving', () => {
  const minaret = useMinaret()
  const database = () => minaret().service.database
  const rowsAt = (masjid: Masjid): Promise<Row[]> =>
    database().query<Row>(sql`
      select id, amount_minor::integer, currency, fund, donor_name, donor_email, member_id, reverses_donation_id,
        (received_at at time zone 'Asia/Tokyo')::date::text as day
      from public.ua_donations where masjid_id = ${masjid.id} order by created_at, id`)
  const enter = async (): Promise<{ masjid: Masjid; person: Person; base: string }> => {
    const masjid = await makeMasjid(database(), { timezone: 'Asia/Tokyo' })
    const person = await visitAs(minaret(), await makeStaff(database(), { masjid, capabilities: ['giving'] }))
    return { masjid, person, base: `/staff/${masjid.slug}/giving` }
  }
  const gift = {
    amount: '50.25',
    currency: 'usd',
    fund: 'zakat',
    method: 'cash',
    day: '2026-03-01',
    giver: 'named',
    name: 'Ilyas <b>',
    email: 'Ilyas@Example.org',
  }
  const record = ({ person, base }: { person: Person; base: string }, fields: Record<string, string> = {}) =>
    person.submit(`${base}/new`, `${base}/new`, { ...gift, ...fields })

  test('records a gift on its day by the masjid’s clock, and totals it by fund', async () => {
    const here = await enter()
    const sent = await record(here)
    assert.equal(sent.location, `${here.base}?done=recorded&year=2026`, sent.text)
    const [row] = await rowsAt(here.masjid)
    assert.deepEqual([row?.amount_minor, row?.currency, row?.fund, row?.day], [5025, 'USD', 'zakat', '2026-03-01'])
    assert.deepEqual([row?.donor_name, row?.donor_email], ['Ilyas <b>', 'ilyas@example.org'])
    await record(here, { amount: '1,000.00', name: 'Maryam', email: '', fund: 'building' })
    const { text } = await here.person.get(`${here.base}?year=2026`)
    assert.match(text, /Zakat<\/td><td class="number">1<\/td><td class="number"><bdi>\$50\.25/)
    assert.match(text, /Building<\/td><td class="number">1<\/td><td class="number"><bdi>\$1,000\.00/)
    assert.match(text, /Ilyas &#60;b&#62;/)
    assert.doesNotMatch((await here.person.get(`${here.base}?year=2025`)).text, /Ilyas/)
  })

  test('asks again for what cannot be read in one way, and keeps what was typed', async () => {
    const here = await enter()
    for (const [fields, words] of [
      [{ amount: '1,234' }, /Give an amount/],
      [{ amount: '0' }, /Give an amount/],
      [{ currency: 'XXQ' }, /three letters/],
      [{ day: '2999-01-01' }, /still to come/],
      [{ name: '', email: '' }, /a name or an email address/],
      [{ email: 'nobody' }, /name@example\.org/],
      [{ method: 'card' }, /Choose how it was given/],
    ] as const) {
      const sent = await record(here, fields)
      assert.equal(sent.status, 422, JSON.stringify(fields))
      assert.match(sent.text, words)
      assert.match(sent.text, /<title>Error: /)
      assert.match(sent.text, /value="2026-03-01"|value="2999-01-01"/)
    }
    assert.equal((await rowsAt(here.masjid)).length, 0)
  })

  test('never stores a card number, whoever writes it', async () => {
    const here = await enter()
    const sent = await record(here, { reference: 'Visa 4111 1111 1111 1111' })
    assert.equal(sent.status, 422)
    assert.match(sent.text, /Never write down the number of a payment card/)
    assert.equal((await record(here, { name: '5500-0000-0000-0004' })).status, 422)
    assert.equal((await record(here, { reference: 'statement 4111 1111 1111 1112' })).status, 303)
    assert.equal((await rowsAt(here.masjid)).length, 1)
  })

  test('records each reference once', async () => {
    const here = await enter()
    assert.equal((await record(here, { reference: 'A-17' })).status, 303)
    const again = await record(here, { reference: 'A-17' })
    assert.equal(again.status, 422)
    assert.match(again.text, /A reference belongs to one gift/)
  })

  test('an anonymous gift keeps no name', async () => {
    const here = await enter()
    await record(here, { giver: 'anonymous' })
    const [row] = await rowsAt(here.masjid)
    assert.deepEqual([row?.donor_name, row?.donor_email], [null, null])
  })

  test('takes gifts back by reversals, never more than is left', async () => {
    const here = await enter()
    await record(here)
    const [row] = await rowsAt(here.masjid)
    const path = `${here.base}/${row?.id}/reverse`
    const tooMuch = await here.person.submit(path, path, { amount: '50.26' })
    assert.equal(tooMuch.status, 422)
    assert.equal((await here.person.submit(path, path, { amount: '20.25' })).location, `${here.base}?done=reversed`)
    assert.match((await here.person.get(path)).text, /value="30\.00"/)
    await here.person.submit(path, path, { amount: '30.00' })
    assert.equal((await here.person.get(path)).status, 404)
    const rows = await rowsAt(here.masjid)
    assert.equal(
      rows.reduce((sum, { amount_minor }) => sum + amount_minor, 0),
      0,
    )
  })

  test('a receipt lists a giver’s gifts of the year and their totals, under the same number each time', async () => {
    const here = await enter()
    await record(here, { day: '2025-12-31' })
    await record(here, { day: '2026-01-01', amount: '10' })
    await record(here, { day: '2026-05-05', amount: '15', fund: 'general' })
    await record(here, { day: '2026-05-05', amount: '99', name: 'Other', email: 'other@example.org' })
    const { text } = await here.person.get(`${here.base}/receipts?year=2026`)
    const links = [...text.matchAll(/href="([^"]*\/receipts\/[^"]*)"/g)].map(([, href]) => href ?? '')
    assert.equal(links.length, 2)
    const pages = await Promise.all(links.map(href => here.person.get(decodeHtml(href))))
    const receipt = pages.find(page => page.text.includes('$25.00'))
    assert.ok(receipt, 'no receipt over 10 + 15')
    assert.match(receipt.text, /2026-[0-9A-F]{10}/)
    assert.doesNotMatch(receipt.text, /\$50\.25|\$99/)
  })

  test('imports a bank statement after a preview, once', async () => {
    const here = await enter()
    const path = `${here.base}/import`
    const text = [
      'Date;Amount;Name;Email;Fund;Reference',
      '2026-02-01;10.00;Yusuf;yusuf@example.org;Zakat al-Fitr;S-1',
      '2026-02-02;20.00;=HYPERLINK("x");;;S-2',
      '2026-02-03;1,234;Nobody;;;S-3',
      '2026-02-04;5.00;;;;',
      '2026-02-04;5.00;;;;',
    ].join('\n')
    const fields = { text, currency: 'USD', method: 'bank_transfer' }
    const preview = await here.person.submit(path, path, fields)
    assert.equal(preview.status, 200)
    assert.match(preview.text, /3 new, 0 already recorded, 1 doubtful, 1 with mistakes/)
    assert.equal((await rowsAt(here.masjid)).length, 0)
    const token = hiddenFieldsOf(preview.text, path)
    assert.equal(
      (await here.person.post(path, { ...token, ...fields, confirm: 'yes' })).location,
      `${here.base}?done=imported`,
    )
    assert.deepEqual(
      (await rowsAt(here.masjid)).map(({ amount_minor }) => amount_minor).toSorted((a, b) => a - b),
      [500, 1000, 2000],
    )
    const again = await here.person.submit(path, path, fields)
    assert.match(again.text, /0 new, 2 already recorded, 2 doubtful/)
  })

  test('imports a workbook whose amounts and days are numbers, below the bank’s address', async () => {
    const here = await enter()
    const path = `${here.base}/import`
    const content = xlsxFile({
      sheets: {
        Statement: [
          ['Bank of Tokyo'],
          ['Date', 'Amount', 'Name', 'Reference'],
          [{ date: 46054 }, 50.5, 'Yusuf', 'W-1'],
          [{ date: 46055 }, 19.989999999999998, '=cmd|calc', 'W-2'],
          [{ date: 46055 }, { formula: 'B3*2' }, 'Nobody', 'W-3'],
        ],
      },
    })
    const fields = { text: '', currency: 'USD', method: 'bank_transfer' }
    const preview = await sendForm(here.person, { page: path, fields, file: { name: 'bank.xlsx', content } })
    assert.match(preview.text, /2 new, 0 already recorded, 0 doubtful, 1 with mistakes/)
    assert.match(preview.text, /A cell holds a formula without a result/)
    const sent = new FormData()
    for (const [name, value] of Object.entries(hiddenFieldsOf(preview.text, path))) sent.set(name, value)
    assert.equal((await here.person.send(path, sent)).location, `${here.base}?done=imported`)
    assert.deepEqual((await rowsAt(here.masjid)).map(row => [row.amount_minor, row.day]).toSorted(), [
      [1999, '2026-02-02'],
      [5050, '2026-02-01'],
    ])
  })

  test('says what is wrong with a table, and keeps it', async () => {
    const here = await enter()
    const path = `${here.base}/import`
    for (const [text, words] of [
      ['', /at least a row of headings/],
      ['a;b\n1;2', /“date” and “amount”/],
      [`date,amount\n${'2026-01-01,5\n'.repeat(1001)}`, /At most 1,000/],
    ] as const) {
      const sent = await here.person.submit(path, path, { text, currency: 'USD', method: 'cash' })
      assert.equal(sent.status, 422)
      assert.match(sent.text, words)
    }
  })

  test('campaigns show how far they have come, and close', async () => {
    const here = await enter()
    const campaigns = `${here.base}/campaigns`
    const fields = {
      title: 'Roof',
      description: '',
      fund: 'building',
      goal: '100',
      currency: 'USD',
      starts: '2026-01-01',
      ends: '',
      status: 'active',
    }
    assert.equal((await here.person.submit(`${campaigns}/new`, `${campaigns}/new`, fields)).status, 303)
    const row = await database().first<{ id: string }>(
      sql`select id from public.ua_campaigns where masjid_id = ${here.masjid.id}`,
    )
    assert.equal((await record(here, { campaign: row?.id ?? '', amount: '40' })).status, 303)
    assert.match((await here.person.get(campaigns)).text, /\$40\.00 of \$100\.00/)
    const path = `${campaigns}/${row?.id}`
    assert.equal((await here.person.submit(path, path, { ...fields, status: 'completed' })).status, 303)
    const stale = await here.person.submit(path, path, { ...fields, version: '1' })
    assert.equal(stale.status, 422)
    assert.match(stale.text, /Somebody else changed this campaign/)
  })

  test('is closed to those who look after something else, and shows nothing of other masjids', async () => {
    const here = await enter()
    await record(here)
    const [row] = await rowsAt(here.masjid)
    const { masjid } = here
    const other = await visitAs(minaret(), await makeStaff(database(), { masjid, capabilities: ['people', 'times'] }))
    assert.equal((await other.get(here.base)).status, 403)
    const elsewhere = await enter()
    assert.equal((await elsewhere.person.get(`${elsewhere.base}/${row?.id}/reverse`)).status, 404)
    assert.equal((await elsewhere.person.get(`${elsewhere.base}/receipts/${row?.id}`)).status, 404)
  })
})
