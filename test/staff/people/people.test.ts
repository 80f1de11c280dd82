// People and households: listed, found, added, changed by two at once, moved, deleted and taken back, exported.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from '../../../src/db/sql.ts'
import { useMinaret } from '../../support/minaret.ts'
import { decodeHtml, type Person } from '../../support/person.ts'
import { type Masjid, makeMasjid, makeStaff, visitAs } from '../use-staff.ts'

interface Row {
  readonly id: string
  readonly given_name: string
  readonly email: string | null
  readonly phone: string | null
  readonly household_id: string | null
  readonly deleted_at: Date | null
}

describe('people', () => {
  const minaret = useMinaret()
  const database = () => minaret().service.database
  /** Everybody but the visitor. */
  const rowsAt = (masjid: Masjid): Promise<Row[]> =>
    database().query<Row>(sql`
      select id, given_name, email, phone, household_id, deleted_at from public.ua_members
      where masjid_id = ${masjid.id} and user_id is null order by given_name`)
  const householdsAt = (masjid: Masjid) =>
    database().query<{ id: string; name: string; city: string | null; deleted_at: Date | null }>(sql`
      select id, name, city, deleted_at from public.ua_households where masjid_id = ${masjid.id} order by name`)

  const enter = async (): Promise<{ masjid: Masjid; person: Person; base: string; userId: string }> => {
    const masjid = await makeMasjid(database())
    const user = await makeStaff(database(), { masjid, capabilities: ['people'] })
    return { masjid, person: await visitAs(minaret(), user), base: `/staff/${masjid.slug}/people`, userId: user.id }
  }
  const yusuf = {
    given_name: ' Yusuf ',
    family_name: '<b>Demir</b>',
    email: 'Yusuf@Example.org',
    phone: '+٤٤ 20 7946 0000',
    joined_on: '2024-02-29',
    status: 'active',
  }
  const create = async (person: Person, base: string, fields: Record<string, string> = {}) => {
    const sent = await person.submit(`${base}/new`, `${base}/new`, { ...yusuf, ...fields })
    assert.match(sent.location ?? sent.text, /done=created$/)
  }
  const only = async (masjid: Masjid): Promise<Row> => {
    const [row] = await rowsAt(masjid)
    if (row === undefined) throw new Error('Nobody was written.')
    return row
  }

  test('are added in the spelling that the database keeps, and shown escaped', async () => {
    const { masjid, person, base } = await enter()
    await create(person, base)
    const row = await only(masjid)
    assert.deepEqual([row.given_name, row.email, row.phone], ['Yusuf', 'yusuf@example.org', '+44 20 7946 0000'])
    for (const path of [base, `${base}/${row.id}`, `${base}/${row.id}/delete`, `${base}/${row.id}/household`]) {
      const { status, text } = await person.get(path)
      assert.equal(status, 200, path)
      assert.ok(!text.includes('<b>Demir'), path)
    }
  })

  test('are found by parts of name, email and telephone, and by status, page by page', async () => {
    const { masjid, person, base } = await enter()
    await database().run(sql`
      insert into public.ua_members (masjid_id, given_name, family_name, email, phone, status)
      select ${masjid.id}, 'Person' || number, 'Family%' || number, 'person' || number || '@example.org', '020 555 ' || number,
        case when number = 7 then 'inactive' else 'active' end::public.ua_member_status
      from generate_series(1001, 1060) number`)
    const shown = async (query: string): Promise<number> =>
      (await person.get(`${base}?${query}`)).text.match(/<li class="person">/g)?.length ?? 0
    assert.equal(await shown(''), 50)
    assert.equal(await shown('skip=50'), 11)
    assert.ok(/skip=50"[^>]*>Next/.test(decodeHtml((await person.get(base)).text)), 'a link to the next page')
    assert.equal(await shown('q=person1007'), 1)
    assert.equal(await shown('q=PERSON1007+family'), 1)
    assert.equal(await shown('q=555+1007'), 1)
    assert.equal(await shown(`q=${encodeURIComponent('%1007')}`), 1)
    assert.equal(await shown('q=_'), 0)
    assert.equal(await shown('status=deceased'), 0)
    assert.equal(await shown('q=nobody+at+all'), 0)
  })

  test('come back with what was typed and what is wrong', async () => {
    const { masjid, person, base } = await enter()
    const wrong = {
      given_name: '',
      family_name: 'Kept as typed',
      email: 'x',
      phone: 'call me',
      joined_on: '2023-02-29',
    }
    const sent = await person.submit(`${base}/new`, `${base}/new`, wrong)
    assert.equal(sent.status, 422)
    assert.match(sent.text, /<title>Error: /)
    for (const field of ['given_name', 'email', 'phone', 'joined_on'])
      assert.match(sent.text, new RegExp(`href="#${field}"`), field)
    assert.match(sent.text, /Kept as typed/)
    assert.deepEqual(await rowsAt(masjid), [])
    await create(person, base)
    const twice = await person.submit(`${base}/new`, `${base}/new`, { ...yusuf, given_name: 'Other' })
    assert.equal(twice.status, 422)
    assert.match(twice.text, /href="#email">Somebody at this masjid has this email/)
  })

  test('that somebody else changed meanwhile: nothing is lost', async () => {
    const { masjid, person, base } = await enter()
    await create(person, base)
    const row = await only(masjid)
    const path = `${base}/${row.id}`
    const { text } = await person.get(path)
    const token = /name="anti_forgery" value="([^"]*)"/.exec(text)?.[1] ?? ''
    const version = /name="version" value="([^"]*)"/.exec(text)?.[1] ?? ''
    await database().run(sql`update public.ua_members set given_name = 'Theirs' where id = ${row.id}`)
    const refused = await person.post(path, { anti_forgery: token, ...yusuf, given_name: 'Mine', version })
    assert.equal(refused.status, 422)
    assert.match(refused.text, /Somebody else changed[\s\S]*Theirs[\s\S]*value="Mine"/)
    assert.equal((await only(masjid)).given_name, 'Theirs')
    const saved = await person.submit(path, path, { ...yusuf, given_name: 'Mine' })
    assert.equal(saved.location, `${path}?done=saved`)
    assert.equal((await only(masjid)).given_name, 'Mine')
  })

  test('live in households: a new one, a listed one, none', async () => {
    const { masjid, person, base } = await enter()
    await create(person, base)
    const row = await only(masjid)
    const path = `${base}/${row.id}/household`
    const to = (fields: Record<string, string>) =>
      person.get(path).then(({ text }) => {
        const token = /name="anti_forgery" value="([^"]*)"/.exec(text)?.[1] ?? ''
        return person.post(path, { anti_forgery: token, ...fields })
      })
    const nameless = await to({ to: 'new', name: '', city: 'Leeds' })
    assert.equal(nameless.status, 422)
    assert.match(nameless.text, /href="#name"[\s\S]*value="Leeds"/)
    assert.equal(
      (await to({ to: 'new', name: 'Demir family', city: 'Leeds' })).location,
      `${base}/${row.id}?done=moved`,
    )
    const [family] = await householdsAt(masjid)
    assert.deepEqual([family?.name, family?.city], ['Demir family', 'Leeds'])
    assert.equal((await only(masjid)).household_id, family?.id)
    assert.match((await person.get(`${base}/households?q=leeds`)).text, /Demir family/)
    assert.match((await person.get(`${base}/households/${family?.id}`)).text, /Yusuf/)
    await to({ to: 'none' })
    assert.equal((await only(masjid)).household_id, null)
    await to({ to: family?.id ?? '' })
    assert.equal((await only(masjid)).household_id, family?.id)
    await create(person, base, { given_name: 'Zahra', email: '', household: family?.id ?? '' })
    assert.deepEqual(
      (await rowsAt(masjid)).map(({ household_id }) => household_id),
      [family?.id, family?.id],
    )
  })

  test('keep their household’s changes and deletion apart from themselves', async () => {
    const { masjid, person, base } = await enter()
    const created = await person.submit(`${base}/households/new`, `${base}/households/new`, { name: 'One' })
    const [household] = await householdsAt(masjid)
    const path = `${base}/households/${household?.id}`
    assert.equal(created.location, `${path}?done=created`)
    await create(person, base, { household: household?.id ?? '' })
    assert.equal((await person.submit(path, path, { name: 'Two', city: 'York' })).location, `${path}?done=saved`)
    const deleted = await person.submit(`${path}/delete`, `${path}/delete`, {})
    assert.equal(deleted.location, `${base}/households?done=deleted&id=${household?.id}`)
    assert.match((await person.get(base)).text, /Yusuf/)
    await person.submit(deleted.location ?? '', `${path}/restore`, {})
    assert.deepEqual(
      (await householdsAt(masjid)).map(({ name, deleted_at }) => [name, deleted_at]),
      [['Two', null]],
    )
  })

  test('are deleted after a question, and taken back', async () => {
    const { masjid, person, base } = await enter()
    await create(person, base)
    const { id } = await only(masjid)
    const path = `${base}/${id}`
    const deleted = await person.submit(`${path}/delete`, `${path}/delete`, {})
    assert.equal(deleted.location, `${base}?done=deleted&id=${id}`)
    assert.ok((await only(masjid)).deleted_at)
    await person.submit(deleted.location ?? '', `${path}/restore`, {})
    assert.equal((await only(masjid)).deleted_at, null)
  })

  test('who hold a capability are not deleted by those who look after people alone; the page says why', async () => {
    const { masjid, person, base } = await enter()
    const admin = await makeStaff(database(), { masjid, role: 'admin' })
    const [row] = await database().query<{ id: string }>(
      sql`select id from public.ua_members where user_id = ${admin.id}`,
    )
    const path = `${base}/${row?.id}/delete`
    const refused = await person.submit(path, path, {})
    assert.equal(refused.status, 422)
    assert.match(refused.text, /class="notice bad"/)
    assert.match((await person.get(`${base}/${row?.id}`)).text, /Administrator/)
  })

  test('are exported with formulas escaped, and each export is recorded', async () => {
    const { masjid, person, base, userId } = await enter()
    await create(person, base, { family_name: '=HYPERLINK("http://x","y")' })
    const elsewhere = await enter()
    await create(elsewhere.person, elsewhere.base, { given_name: 'Elsewhere' })
    const file = await person.submit(base, `${base}/export`, {})
    assert.equal(file.status, 200)
    assert.match(file.headers.get('content-type') ?? '', /^text\/csv/)
    assert.match(file.headers.get('content-disposition') ?? '', new RegExp(`people-${masjid.slug}-`))
    assert.ok(file.text.includes(`Yusuf,"'=HYPERLINK(""http://x"",""y"")",yusuf@example.org,'+44 20 7946 0000,active`))
    assert.ok(!file.text.includes('Elsewhere'))
    await database().run(sql`
      insert into public.ua_members (masjid_id, given_name) select ${masjid.id}, 'Many' from generate_series(1, 230)`)
    const many = await person.submit(base, `${base}/export`, {})
    assert.equal(many.text.match(/^Many,/gm)?.length, 230, 'each once, over several batches')
    const records = await database().query<{ detail: { masjid: string } }>(
      sql`select detail from minaret.audit_log where action = 'people.exported' and user_id = ${userId}`,
    )
    assert.deepEqual(
      records.map(({ detail }) => detail.masjid),
      [masjid.id, masjid.id],
    )
  })

  test('are nobody’s at another masjid, whatever ids are sent', async () => {
    const { masjid, person, base } = await enter()
    await person.submit(`${base}/households/new`, `${base}/households/new`, { name: 'Ours' })
    const [household] = await householdsAt(masjid)
    await create(person, base, { household: household?.id ?? '' })
    const row = await only(masjid)
    const other = await enter()
    await create(other.person, other.base)
    const theirs = await only(other.masjid)
    const token = /name="anti_forgery" value="([^"]*)"/.exec((await other.person.get(other.base)).text)?.[1] ?? ''
    const sent = { anti_forgery: token, ...yusuf, name: 'Taken', version: '1', to: household?.id ?? '' }
    const posts = [
      `${row.id}`,
      `${row.id}/delete`,
      `${row.id}/restore`,
      `${row.id}/household`,
      `households/${household?.id}`,
      `households/${household?.id}/delete`,
      `households/${household?.id}/restore`,
      // their own member, our household
      `${theirs.id}/household`,
    ]
    for (const path of posts) assert.equal((await other.person.post(`${other.base}/${path}`, sent)).status, 404, path)
    const joined = { ...sent, email: 'new@example.org', household: household?.id ?? '' }
    assert.equal((await other.person.post(`${other.base}/new`, joined)).status, 404)
    for (const path of [`${row.id}`, `${row.id}/household`, `households/${household?.id}`])
      assert.equal((await other.person.get(`${other.base}/${path}`)).status, 404, path)
    assert.deepEqual(await rowsAt(masjid), [row])
    assert.deepEqual(await rowsAt(other.masjid), [theirs])
    assert.deepEqual(await householdsAt(masjid), [household])
  })

  test('are shown to nobody without the capability, and to nobody who was dismissed', async () => {
    const { masjid, person, base, userId } = await enter()
    await create(person, base)
    const { id } = await only(masjid)
    const treasurer = await visitAs(minaret(), await makeStaff(database(), { masjid, capabilities: ['giving'] }))
    const { text } = await person.get(base)
    const token = /name="anti_forgery" value="([^"]*)"/.exec(text)?.[1] ?? ''
    for (const path of [base, `${base}/${id}`, `${base}/households`])
      assert.equal((await treasurer.get(path)).status, 403, path)
    await database().run(sql`update public.ua_members set status = 'inactive' where user_id = ${userId}`)
    for (const path of [base, `${base}/${id}`]) assert.equal((await person.get(path)).status, 404, path)
    assert.equal((await person.post(`${base}/export`, { anti_forgery: token })).status, 404)
    assert.equal((await person.post(`${base}/${id}/delete`, { anti_forgery: token })).status, 404)
    assert.equal((await only(masjid)).deleted_at, null)
  })
})
