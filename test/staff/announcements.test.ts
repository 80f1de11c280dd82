// Announcements: published, planned, changed by two at once, ended, deleted and taken back.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { instantOf, localDateAt } from '../../src/base/local-time.ts'
import { sql } from '../../src/db/sql.ts'
import { useMinaret } from '../support/minaret.ts'
import type { Person } from '../support/person.ts'
import { type Masjid, makeMasjid, makeStaff, visitAs } from './use-staff.ts'

interface Row {
  readonly id: string
  readonly kind: string
  readonly texts: Record<string, { title: string; body?: string }>
  readonly urgent: boolean
  readonly shown_on: string
  readonly starts_at: Date
  readonly ends_at: Date | null
  readonly deleted_at: Date | null
  readonly deceased_name: string | null
  readonly janazah_on: string | null
  readonly janazah_after: string | null
  readonly janazah_time: string | null
}

describe('announcements', () => {
  const minaret = useMinaret()
  const database = () => minaret().service.database
  const rowsAt = (masjid: Masjid): Promise<Row[]> =>
    database().query<Row>(sql`
      select id, kind, texts, urgent, shown_on::text, starts_at, ends_at, deleted_at, deceased_name, janazah_on::text,
        janazah_after, janazah_time::text
      from public.up_announcements where masjid_id = ${masjid.id}`)

  const enter = async (): Promise<{ masjid: Masjid; person: Person; base: string }> => {
    const masjid = await makeMasjid(database(), { timezone: 'Asia/Karachi' })
    const person = await visitAs(minaret(), await makeStaff(database(), { masjid, capabilities: ['announcements'] }))
    return { masjid, person, base: `/staff/${masjid.slug}/announcements` }
  }
  const general = { kind: 'closure', language: 'en', title_en: 'The hall is closed', shown_on: 'screen' }

  test('are published at once, in the words that were typed, and escaped', async () => {
    const { masjid, person, base } = await enter()
    const title = '<script>alert(1)</script> & more'
    const sent = await person.submit(`${base}/new`, `${base}/new`, {
      ...general,
      title_en: title,
      body_en: 'Line one\nLine two',
    })
    assert.equal(sent.location, `${base}?done=created`, sent.text)
    const [row] = await rowsAt(masjid)
    assert.deepEqual(row?.texts, { en: { title, body: 'Line one\nLine two' } })
    assert.deepEqual([row?.kind, row?.shown_on, row?.ends_at], ['closure', '{screen}', null])
    const { text } = await person.get(base)
    assert.match(text, /&#60;script&#62;alert\(1\)/)
    assert.ok(!text.includes('<script>alert'))
  })

  test('in a language that was not chosen come back as they were typed, instead of without these words', async () => {
    const { masjid, person, base } = await enter()
    for (const other_language of ['', 'Klingon']) {
      const words = { other_language, title_other: 'Salle fermée', body_other: 'Jusqu’à demain' }
      const sent = await person.submit(`${base}/new`, `${base}/new`, { ...general, ...words })
      assert.equal(sent.status, 422)
      assert.match(
        sent.text,
        /<details class="language" open>[\s\S]*id="other_language-fault"[\s\S]*value="Salle fermée"/,
      )
      assert.match(sent.text, /Jusqu’à demain<\/textarea>/)
    }
    assert.deepEqual(await rowsAt(masjid), [])
  })

  test('start and end by the masjid’s clock, and nobody else reads them before', async () => {
    const { masjid, person, base } = await enter()
    const day = localDateAt(new Date(Date.now() + 3 * 86_400_000), 'Asia/Karachi')
    const times = { from: `${day}T08:00`, until: `${day}T20:30` }
    const sent = await person.submit(`${base}/new`, `${base}/new`, { ...general, ...times })
    assert.equal(sent.location, `${base}?done=scheduled`, sent.text)
    const [row] = await rowsAt(masjid)
    assert.deepEqual(row?.starts_at, instantOf(`${day}T08:00`, 'Asia/Karachi'))
    assert.deepEqual(row?.ends_at, new Date(`${day}T15:30:00Z`))
    const edit = await person.get(`${base}/${row?.id}`)
    assert.match(edit.text, new RegExp(`value="${day}T08:00"`))
    await database().transaction(async transaction => {
      await transaction.run(sql`set local role minaret_reader`)
      assert.deepEqual(await transaction.query(sql`select from public.up_announcements where id = ${row?.id}`), [])
    })
  })

  test('of a janazah take a name, a day and a prayer, and stop showing after that day', async () => {
    const { masjid, person, base } = await enter()
    const page = await person.get(`${base}/new?kind=janazah`)
    assert.match(page.text, /Name of the deceased/)
    const day = localDateAt(new Date(Date.now() + 86_400_000), 'Asia/Karachi')
    const fields = { kind: 'janazah', name: 'Ahmad Saleh', day, after: 'asr', shown_on: 'apps', urgent: 'yes' }
    const sent = await person.submit(`${base}/new?kind=janazah`, `${base}/new`, fields)
    assert.equal(sent.location, `${base}?done=created`, sent.text)
    const [row] = await rowsAt(masjid)
    assert.deepEqual(row?.texts, { en: { title: 'Janazah: Ahmad Saleh' }, ar: { title: 'صلاة الجنازة: Ahmad Saleh' } })
    assert.deepEqual([row?.janazah_on, row?.janazah_after, row?.urgent], [day, 'asr', true])
    assert.deepEqual(row?.ends_at, instantOf(`${day}T23:59`, 'Asia/Karachi'))
    assert.match((await person.get(base)).text, /After <bdi>Asr<\/bdi>/)
    const again = { ...fields, name: 'Ahmad Salih', after: 'time', time: '15:15' }
    await person.submit(`${base}/${row?.id}`, `${base}/${row?.id}`, again)
    const [changed] = await rowsAt(masjid)
    assert.deepEqual(
      [changed?.texts.en?.title, changed?.janazah_after, changed?.janazah_time],
      ['Janazah: Ahmad Salih', null, '15:15:00'],
    )
  })

  test('come back with what was typed, what is wrong, and where', async () => {
    const { masjid, person, base } = await enter()
    const faulty = {
      kind: 'general',
      language: 'en',
      title_en: '',
      body_en: 'Kept as typed',
      until: '2020-01-01T10:00',
    }
    const sent = await person.submit(`${base}/new`, `${base}/new`, faulty)
    assert.equal(sent.status, 422)
    assert.match(sent.text, /<title>Error: /)
    for (const field of ['title_en', 'shown_on', 'until']) assert.match(sent.text, new RegExp(`href="#${field}"`))
    assert.match(sent.text, /Kept as typed/)
    assert.deepEqual(await rowsAt(masjid), [])
    const janazah = await person.submit(`${base}/new?kind=janazah`, `${base}/new`, {
      kind: 'janazah',
      after: 'time',
      day: 'x',
    })
    for (const field of ['name', 'day', 'time']) assert.match(janazah.text, new RegExp(`href="#${field}"`))
  })

  test('that somebody else changed meanwhile: nothing is lost, and the second writer decides', async () => {
    const { masjid, person, base } = await enter()
    await person.submit(`${base}/new`, `${base}/new`, general)
    const [row] = await rowsAt(masjid)
    const other = await visitAs(minaret(), await makeStaff(database(), { masjid, role: 'admin' }))
    const path = `${base}/${row?.id}`
    const mine = await person.get(path)
    assert.equal((await other.submit(path, path, { ...general, title_en: 'Theirs' })).location, `${base}?done=saved`)
    const stale = Object.fromEntries(
      [...mine.text.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)"/g)].map(([, name = '', value = '']) => [
        name,
        value,
      ]),
    )
    const refused = await person.post(path, { ...stale, ...general, title_en: 'Mine' })
    assert.equal(refused.status, 422)
    assert.match(refused.text, /Somebody else changed/)
    assert.match(refused.text, /Theirs/)
    assert.match(refused.text, /value="Mine"/)
    assert.equal((await rowsAt(masjid))[0]?.texts.en?.title, 'Theirs')
    const version = /name="version" value="(\d+)"/.exec(refused.text)?.[1] ?? ''
    const saved = await person.post(path, { ...stale, ...general, title_en: 'Mine', version })
    assert.equal(saved.location, `${base}?done=saved`)
    assert.equal((await rowsAt(masjid))[0]?.texts.en?.title, 'Mine')
  })

  test('are ended with one press, deleted after a question, and taken back', async () => {
    const { masjid, person, base } = await enter()
    await person.submit(`${base}/new`, `${base}/new`, general)
    const [row] = await rowsAt(masjid)
    const path = `${base}/${row?.id}`
    assert.equal((await person.submit(base, `${path}/end`, {})).location, `${base}?done=ended`)
    assert.ok(((await rowsAt(masjid))[0]?.ends_at?.getTime() ?? Number.POSITIVE_INFINITY) <= Date.now())
    assert.match((await person.get(base)).text, /Nothing is showing now/)
    assert.equal(
      (await person.submit(`${path}/delete`, `${path}/delete`, {})).location,
      `${base}?done=deleted&id=${row?.id}`,
    )
    assert.equal((await person.get(path)).status, 404)
    const restored = await person.submit(`${base}?done=deleted&id=${row?.id}`, `${path}/restore`, {})
    assert.equal(restored.location, `${base}?done=restored`)
    assert.equal((await rowsAt(masjid))[0]?.deleted_at, null)
  })

  test('are nobody’s at another masjid, whatever ids are sent', async () => {
    const { masjid, person, base } = await enter()
    await person.submit(`${base}/new`, `${base}/new`, general)
    const [row] = await rowsAt(masjid)
    const elsewhere = await enter()
    const theirs = `${elsewhere.base}/${row?.id}`
    assert.equal((await elsewhere.person.get(theirs)).status, 404)
    const token = {
      anti_forgery:
        /name="anti_forgery" value="([^"]*)"/.exec((await elsewhere.person.get(elsewhere.base)).text)?.[1] ?? '',
    }
    for (const path of [theirs, `${theirs}/end`, `${theirs}/delete`, `${theirs}/restore`, `${base}/${row?.id}/end`])
      assert.equal((await elsewhere.person.post(path, { ...token, ...general, version: '1' })).status, 404, path)
    const [after] = await rowsAt(masjid)
    assert.deepEqual([after?.texts, after?.ends_at, after?.deleted_at], [row?.texts, null, null])
  })

  test('are for those who look after them', async () => {
    const { masjid, base } = await enter()
    const timekeeper = await visitAs(minaret(), await makeStaff(database(), { masjid, capabilities: ['times'] }))
    assert.equal((await timekeeper.get(base)).status, 403)
    assert.ok(!(await timekeeper.get(`/staff/${masjid.slug}`)).text.includes(base))
  })
})
