// Consent recorded with its evidence, and lists imported: compared first, written in one transaction, never without evidence.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from '../../../src/db/sql.ts'
import { useMinaret } from '../../support/minaret.ts'
import { hiddenFieldsOf, type Person, type Shown } from '../../support/person.ts'
import { sendForm } from '../send-form.ts'
import { xlsxFile } from '../timetables/xlsx-file.ts'
import { type Masjid, makeMasjid, makeStaff, visitAs } from '../use-staff.ts'

interface Row {
  readonly id: string
  readonly given_name: string
  readonly email: string | null
  readonly phone: string | null
  readonly household: string | null
  readonly consent_api_sharing: boolean
  readonly records: number
}

const evidence = { given_how: 'paper', given_on: '2026-01-09', evidence: 'Forms of January, folder 3' }

describe('people who agreed', () => {
  const minaret = useMinaret()
  const database = () => minaret().service.database
  const rowsAt = (masjid: Masjid): Promise<Row[]> =>
    database().query<Row>(sql`
      select member.id, given_name, email, phone, household.name as household, consent_api_sharing,
        (select count(*)::int from public.consent_records where member_id = member.id) as records
      from public.ua_members member left join public.ua_households household on household.id = household_id
      where member.masjid_id = ${masjid.id} and user_id is null order by given_name, email`)
  const insert = (masjid: Masjid, given: { name: string; family?: string; email?: string; phone?: string }) =>
    database().run(sql`
      insert into public.ua_members (masjid_id, given_name, family_name, email, phone)
      values (${masjid.id}, ${given.name}, ${given.family ?? null}, ${given.email ?? null}, ${given.phone ?? null})`)

  const enter = async (): Promise<{ masjid: Masjid; person: Person; base: string; userId: string }> => {
    const masjid = await makeMasjid(database())
    const user = await makeStaff(database(), { masjid, capabilities: ['people'] })
    return { masjid, person: await visitAs(minaret(), user), base: `/staff/${masjid.slug}/people`, userId: user.id }
  }
  const preview = (person: Person, base: string, list: string, fields: Record<string, string> = {}): Promise<Shown> =>
    person.submit(`${base}/import`, `${base}/import`, { ...evidence, list, ...fields })
  const publish = (person: Person, base: string, shown: Shown, fields: Record<string, string> = {}): Promise<Shown> =>
    person.post(`${base}/import`, { ...hiddenFieldsOf(shown.text, `${base}/import`), step: 'publish', ...fields })

  test('are recorded with where, when and how; and when they take it back', async () => {
    const { masjid, person, base } = await enter()
    await insert(masjid, { name: 'Maryam' })
    const [row] = await rowsAt(masjid)
    const path = `${base}/${row?.id}/consent`
    const bare = await person.submit(path, path, { evidence: 'Kept as typed' })
    assert.equal(bare.status, 422)
    for (const field of ['answer', 'given_how', 'given_on']) assert.ok(bare.text.includes(`href="#${field}"`), field)
    assert.ok(bare.text.includes('Kept as typed'))
    const future = await person.submit(path, path, { ...evidence, answer: 'yes', given_on: '2099-01-01' })
    assert.equal(future.status, 422)
    const sent = await person.submit(path, path, { ...evidence, answer: 'yes' })
    assert.equal(sent.location, `${base}/${row?.id}?done=recorded`)
    assert.deepEqual(
      (await rowsAt(masjid)).map(one => [one.consent_api_sharing, one.records]),
      [[true, 1]],
    )
    const [at] = await database().query<{ day: string }>(
      sql`select consent_at::date::text as day from public.ua_members where id = ${row?.id}`,
    )
    assert.equal(at?.day, evidence.given_on)
    assert.ok((await person.get(path)).text.includes(evidence.evidence))
    await person.submit(path, path, { ...evidence, answer: 'no' })
    assert.deepEqual(
      (await rowsAt(masjid)).map(one => [one.consent_api_sharing, one.records]),
      [[false, 2]],
    )
  })

  test('with an account agree themselves: nobody says yes for them', async () => {
    const { masjid, person, base } = await enter()
    const member = await makeStaff(database(), { masjid })
    const [row] = await database().query<{ id: string }>(
      sql`select id from public.ua_members where user_id = ${member.id}`,
    )
    const path = `${base}/${row?.id}/consent`
    const refused = await person.submit(path, path, { ...evidence, answer: 'yes' })
    assert.equal(refused.status, 422)
    const [after] = await database().query<{ shares: boolean }>(
      sql`select consent_api_sharing as shares from public.ua_members where id = ${row?.id}`,
    )
    assert.equal(after?.shares, false)
  })

  test('are imported after a preview: new, changed, same, doubtful and wrong', async () => {
    const { masjid, person, base } = await enter()
    await insert(masjid, { name: 'Bilal', family: 'Khan', email: 'bilal@example.org', phone: '020 555 0001' })
    await insert(masjid, { name: 'Same', family: 'One', email: 'same@example.org' })
    await insert(masjid, { name: 'Twin', family: 'Name', email: 'twin@example.org' })
    const list = [
      'First name;Surname;E-mail;Mobile;Family unit;Agreed to sharing',
      'Aisha;Noor;AISHA@example.org;٠٢٠ 555 0100;Noor family;yes',
      "Bilal;Khan;bilal@example.org;'+44 20 555 0002;Khan family;",
      'Same;One;same@example.org;;;no',
      'Twin;Name;;;;',
      'Umar;X;not-an-address;;;',
      'Aisha;Again;aisha@example.org;;;',
    ].join('\n')
    const shown = await preview(person, base, list)
    assert.equal(shown.status, 200)
    for (const words of ['New: ', 'Changed: ', 'Same as listed: ', 'Doubtful: ', 'Cannot be read: '])
      assert.ok(shown.text.includes(words), words)
    assert.equal((await rowsAt(masjid)).length, 3, 'a preview writes nothing')
    const done = await publish(person, base, shown)
    assert.equal(done.location, `${base}?done=imported`, done.text.slice(0, 3000))
    const rows = (await rowsAt(masjid)).map(row => [
      row.given_name,
      row.phone,
      row.household,
      row.consent_api_sharing,
      row.records,
    ])
    assert.deepEqual(rows, [
      ['Aisha', '020 555 0100', 'Noor family', true, 1],
      ['Bilal', '+44 20 555 0002', 'Khan family', false, 1],
      ['Same', null, null, false, 0],
      ['Twin', null, null, false, 0],
    ])
    const again = await preview(person, base, list)
    assert.equal((await publish(person, base, again)).location, `${base}?done=nothingImported`)
  })

  test('of doubtful rows are added or changed as somebody decides, and columns as corrected', async () => {
    const { masjid, person, base } = await enter()
    await insert(masjid, { name: 'Twin', family: 'Name', email: 'twin@example.org' })
    const shown = await preview(person, base, 'Who,Call\nTwin Name,020 555 0009')
    assert.ok(shown.text.includes('Cannot be read: '), 'the columns were not guessed')
    const columns = { column_0: 'full_name', column_1: 'phone' }
    const corrected = await person.post(`${base}/import`, {
      ...hiddenFieldsOf(shown.text, `${base}/import`),
      ...columns,
      step: 'preview',
    })
    assert.ok(corrected.text.includes('name="decide_2"'))
    await publish(person, base, corrected, { ...columns, decide_2: 'same' })
    assert.deepEqual(
      (await rowsAt(masjid)).map(row => [row.email, row.phone]),
      [['twin@example.org', '020 555 0009']],
    )
  })

  test('are not imported without evidence, from an empty list, or from one that is too long', async () => {
    const { masjid, person, base } = await enter()
    const bare = await preview(person, base, 'Name\nAisha Noor', { given_how: '', evidence: '', given_on: '' })
    assert.equal(bare.status, 422)
    for (const field of ['given_how', 'given_on', 'evidence']) assert.ok(bare.text.includes(`href="#${field}"`), field)
    assert.ok(bare.text.includes('Aisha Noor'))
    assert.equal((await preview(person, base, 'Name')).status, 422)
    assert.equal((await preview(person, base, `Name\n${'A B\n'.repeat(2100)}`)).status, 422)
    const huge = await person.post(`${base}/import`, { list: 'x'.repeat(1024 * 1024) })
    assert.equal(huge.status, 413)
    assert.deepEqual(await rowsAt(masjid), [])
  })

  test('come as a workbook: below a title, with dates and numbers as Excel stores them, formulas by their results', async () => {
    const { masjid, person, base } = await enter()
    const content = xlsxFile({
      sheets: {
        Members: [
          ['Masjid members 2026'],
          ['First name', 'Surname', 'Mobile', 'Joined', 'Household'],
          ['Aisha', 'Noor, the elder', 442079460000, { date: 45292 }, 'Noor; family'],
          [{ formula: 'A3', result: 'Bilal' }, 'Khan', '', '', ''],
          [{ formula: 'WEBSERVICE("https://evil.test")' }, 'Nobody', '', '', ''],
        ],
      },
    })
    const shown = await sendForm(person, {
      page: `${base}/import`,
      fields: { ...evidence, list: '' },
      file: { name: 'members.xlsx', content },
    })
    assert.equal(shown.status, 200, shown.text)
    assert.ok(shown.text.includes('A cell holds a formula without a result'))
    assert.equal((await publish(person, base, shown)).location, `${base}?done=imported`)
    assert.deepEqual(
      (await rowsAt(masjid)).map(row => [row.given_name, row.phone, row.household, row.records]),
      [
        ['Aisha', '442079460000', 'Noor; family', 1],
        ['Bilal', null, null, 1],
      ],
    )
    const [aisha] = await database().query<{ joined: string; family_name: string }>(
      sql`select joined_on::text as joined, family_name from public.ua_members where masjid_id = ${masjid.id} and given_name = 'Aisha'`,
    )
    assert.deepEqual(aisha, { joined: '2024-01-01', family_name: 'Noor, the elder' })
  })

  test('come as a CSV file with evidence or not at all, and what was in it is kept in the form', async () => {
    const { masjid, person, base } = await enter()
    const file = { name: 'people.csv', content: 'الاسم الأول;البريد الإلكتروني\nعائشة;aisha@example.org\n' }
    const bare = await sendForm(person, { page: `${base}/import`, file })
    assert.equal(bare.status, 422)
    assert.ok(bare.text.includes('href="#given_how"') && bare.text.includes('عائشة'))
    const broken = { name: 'people.xls', content: Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 1, 2]) }
    const old = await sendForm(person, { page: `${base}/import`, fields: { ...evidence, list: 'Kept' }, file: broken })
    assert.equal(old.status, 422)
    assert.ok(old.text.includes('href="#sheet"') && old.text.includes('.xls') && old.text.includes('Kept'))
    assert.deepEqual(await rowsAt(masjid), [])
    const shown = await sendForm(person, { page: `${base}/import`, fields: evidence, file })
    await publish(person, base, shown)
    assert.deepEqual(
      (await rowsAt(masjid)).map(row => [row.given_name, row.email]),
      [['عائشة', 'aisha@example.org']],
    )
  })

  test('of a list that is longer than other forms may be go through the preview, which sends it again', async () => {
    const { masjid, person, base } = await enter()
    const household = 'بيت '.repeat(40)
    const lines = Array.from(
      { length: 600 },
      (_, index) => `عبد الرحمن ${'بن محمد '.repeat(9)}${index},person${index}@example.org,${household}`,
    )
    const content = ['الاسم,البريد,الأسرة', ...lines].join('\n')
    assert.ok(Buffer.byteLength(content) > 256 * 1024)
    const file = { name: 'all.csv', content }
    const shown = await sendForm(person, { page: `${base}/import`, fields: evidence, file })
    const sent = new FormData()
    for (const [name, value] of Object.entries(hiddenFieldsOf(shown.text, `${base}/import`))) sent.set(name, value)
    sent.set('step', 'publish')
    assert.equal((await person.send(`${base}/import`, sent)).location, `${base}?done=imported`)
    assert.equal((await rowsAt(masjid)).length, 600)
  })

  test('are looked at again if something changed between preview and import', async () => {
    const { masjid, person, base } = await enter()
    const shown = await preview(person, base, 'Given name,Email\nAisha,aisha@example.org')
    await insert(masjid, { name: 'Other', email: 'aisha@example.org' })
    const refused = await publish(person, base, shown)
    assert.equal(refused.status, 422)
    assert.ok(refused.text.includes('Something changed'))
    assert.equal((await rowsAt(masjid)).length, 1)
  })

  test('are imported by those who look after people at that masjid alone', async () => {
    const { masjid, person, base, userId } = await enter()
    const shown = await preview(person, base, 'Given name\nAisha')
    const treasurer = await visitAs(minaret(), await makeStaff(database(), { masjid, capabilities: ['giving'] }))
    assert.equal((await treasurer.get(`${base}/import`)).status, 403)
    await database().run(sql`update public.ua_members set status = 'inactive' where user_id = ${userId}`)
    assert.equal((await publish(person, base, shown)).status, 404)
    assert.deepEqual(await rowsAt(masjid), [])
  })

  test('of another masjid are neither changed nor consented for by a list, in the database itself', async () => {
    const { masjid } = await enter()
    await insert(masjid, { name: 'Ours' })
    const [ours] = await rowsAt(masjid)
    const other = await enter()
    const call = (masjidId: string, people: object[]) =>
      database().transaction(async transaction => {
        await transaction.run(sql`select set_config('minaret.user_id', ${other.userId}, true)`)
        await transaction.run(sql`
          select public.ua_import_members(${masjidId}, ${JSON.stringify(people)}::jsonb, '2026-01-09', 'paper', 'folder 3')`)
      })
    await assert.rejects(call(masjid.id, [{ given_name: 'Intruder' }]), /capability "people"/)
    await assert.rejects(
      call(other.masjid.id, [{ given_name: 'New' }, { id: ours?.id, given_name: 'Taken' }]),
      /not a member/,
    )
    assert.deepEqual(await rowsAt(masjid), [ours])
    assert.deepEqual(await rowsAt(other.masjid), [], 'all of it or nothing')
  })
})
