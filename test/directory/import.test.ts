// `minaret masjids import` as typed: rows are added, kept up to date and left alone, and the API says where they come from.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from '../../src/db/sql.ts'
import { makeApp, makeKey, makeUser } from '../support/apps.ts'
import { type GraphqlClient, openClient } from '../support/graphql.ts'
import { insertMasjid } from '../support/masjids.ts'
import { useMinaret } from '../support/minaret.ts'
import { csv, HEADER, happened, rowOf, useImports } from './use-imports.ts'

let client: GraphqlClient | undefined
const minaret = useMinaret({}, async ({ service, baseUrl }) => {
  const app = await makeApp(service.database, { granted: ['masjid:read'] })
  const { key } = await makeKey(service.database, { appId: app.id })
  client = openClient({ baseUrl }, key)
})
after(() => client?.close())
const { importText } = useImports(minaret)
const database = () => minaret().service.database

interface Stored {
  readonly id: string
  readonly slug: string
  readonly version: string
}

const stored = async (source: string, sourceId: string): Promise<Stored> => {
  const row = await database().first<Stored>(sql`
    select masjid.id, masjid.slug, masjid.version from public.up_masjid_origins origin
    join public.up_masjids masjid on masjid.id = origin.masjid_id
    where origin.source = ${source} and origin.source_id = ${sourceId} and masjid.deleted_at is null`)
  assert.ok(row, `${sourceId} is there`)
  return row
}

test('a row becomes a masjid with zone, method and slug, and the API says where it is from', async () => {
  const header = `${HEADER},languages,facilities,email,ignored`
  const row = 'n/1,Larkspur Masjid,"1, Larkspur Lane",Lahore,PK,31.55,74.34,ur;en,wudu;parking,Info@Example.org,x'
  assert.deepEqual(happened(await importText(`${header}\n${row}\n`, 'Atlas')), { read: 1, added: 1 })
  const query = `query Imported($email: String!) { up_masjids(where: {email: {_eq: $email}}) { name slug address timezone calculation_method
    languages facilities verification origin { source source_id licence masjid { name } } } }`
  const { body } = (await client?.query({ query, variables: { email: 'info@example.org' } })) ?? {}
  assert.deepEqual(body?.data?.up_masjids, [
    {
      name: 'Larkspur Masjid',
      slug: 'larkspur-masjid',
      address: '1, Larkspur Lane',
      timezone: 'Asia/Karachi',
      calculation_method: 'Karachi',
      languages: ['ur', 'en'],
      facilities: ['wudu', 'parking'],
      verification: 'unverified',
      origin: { source: 'Atlas', source_id: 'n/1', licence: 'ODbL 1.0', masjid: { name: 'Larkspur Masjid' } },
    },
  ])
})

test('the same file changes nothing; a newer one changes what differs; an import is two entries of the audit log', async () => {
  const rows = [rowOf('a', 60), rowOf('b', 61), rowOf('c', 62)]
  assert.deepEqual(happened(await importText(csv(...rows), 'Twice')), { read: 3, added: 3 })
  const log = () =>
    database().first<{ count: string }>(sql`select count(*) from changes.log where table_name like 'public.up_masjid%'`)
  const before = await log()
  assert.deepEqual(happened(await importText(csv(...rows), 'Twice')), { read: 3, unchanged: 3 })
  assert.deepEqual(await log(), before)
  const { slug } = await stored('Twice', 'b')
  const newer = csv(rows[0] ?? '', rowOf('b', 61.5, 'Another Name'), rows[2] ?? '')
  assert.deepEqual(happened(await importText(newer, 'Twice')), { read: 3, updated: 1, unchanged: 2 })
  assert.deepEqual(await stored('Twice', 'b'), { ...(await stored('Twice', 'b')), slug, version: '2' })
  const entries = await database().query<{ action: string; added: number }>(sql`
    select action, (detail ->> 'added')::int as added from minaret.audit_log where detail ->> 'source' = 'Twice' order by id`)
  assert.deepEqual(
    entries.map(({ action }) => action),
    Array.from({ length: 3 }, () => ['masjids.import_started', 'masjids.imported']).flat(),
  )
  assert.equal(entries[1]?.added, 3)
  const { id } = await stored('Twice', 'b')
  const trail = await database().query(sql`select from public.written_rows where record_key = ${id}`)
  assert.deepEqual(trail, [], 'no row of the audit trail for each masjid')
})

test('times of imported masjids are calculated on demand', async () => {
  await importText(csv(rowOf('one', 63)), 'On demand')
  const { id } = await stored('On demand', 'one')
  const state = await database().first(sql`select is_wanted from public.calculation_states where masjid_id = ${id}`)
  assert.deepEqual(state, { is_wanted: false })
})

test('what people edited, verified, claim or look after is reported, and left as it is', async () => {
  const ids = ['edited', 'verified', 'claimed', 'staffed', 'free']
  await importText(csv(...ids.map((id, index) => rowOf(id, 65 + index))), 'Kept')
  const idOf = async (sourceId: string): Promise<string> => (await stored('Kept', sourceId)).id
  await database().run(sql`update public.up_masjids set phone = '+92 300 0000' where id = ${await idOf('edited')}`)
  await database().run(sql`
    update public.up_masjids set verification = 'verified', verified_at = now() where id = ${await idOf('verified')}`)
  const { id: person } = await makeUser(database(), { hashed: false })
  await database().run(sql`
    insert into minaret.masjid_requests (kind, user_id, masjid_id, words)
    values ('claim', ${person}, ${await idOf('claimed')}, 'mine')`)
  await database().run(sql`
    insert into public.ua_members (masjid_id, given_name) values (${await idOf('staffed')}, 'Somebody')`)
  const newer = await importText(csv(...ids.map((id, index) => rowOf(id, 65 + index, 'New Name'))), 'Kept')
  assert.deepEqual(happened(newer), { read: 5, updated: 1, kept: 4 })
  assert.deepEqual(
    newer.report.map(line => line.split(',')[2]),
    ['edited', 'verified', 'claimed', 'staffed'],
  )
  const names = await database().query<{ name: string }>(sql`
    select masjid.name from public.up_masjid_origins origin join public.up_masjids masjid on masjid.id = origin.masjid_id
    where origin.source = 'Kept' and masjid.name = 'New Name'`)
  assert.equal(names.length, 1)
  const gone = await importText(csv(rowOf('free', 69, 'New Name')), 'Kept', '--delete-gone', '4')
  assert.deepEqual(happened(gone), { read: 1, unchanged: 1, gone: 4 })
})

test('masjids that the file lost are reported; asked to, an import deletes so many at most, and brings them back', async () => {
  const [one, two, three] = [rowOf('one', 80), rowOf('two', 81), rowOf('three', 82)]
  await importText(csv(one, two, three), 'Gone')
  const { slug } = await stored('Gone', 'two')
  assert.deepEqual(happened(await importText(csv(one), 'Gone')), { read: 1, unchanged: 1, gone: 2 })
  const refused = await importText(csv(one), 'Gone', '--delete-gone', '1')
  assert.equal(refused.status, 1)
  assert.match(refused.stderr, /lacks 2 masjids of this source, more than the 1/)
  await stored('Gone', 'two')
  const deleted = await importText(csv(one), 'Gone', '--delete-gone', '2')
  assert.deepEqual(happened(deleted), { read: 1, unchanged: 1, gone: 2, deleted: 2 })
  assert.deepEqual(happened(await importText(csv(one), 'Gone')), { read: 1, unchanged: 1 })
  assert.deepEqual(happened(await importText(csv(one, two), 'Gone')), { read: 2, updated: 1, unchanged: 1 })
  assert.equal((await stored('Gone', 'two')).slug, slug)
})

test('a masjid that is there, or twice in the file, is reported instead of added, wherever a batch ends', async () => {
  const id = await insertMasjid(database(), { name: 'Nūr Masjid', latitude: 10, longitude: 20 })
  const row = (sourceId: string, name: string, latitude: number) => `${sourceId},${name},1 Road,Town,NG,${latitude},20`
  const file = csv(
    row('near', 'Anything', 10.001), // 111 m
    row('named', 'nur masjid', 10.008), // 890 m
    row('apart', 'Other Masjid', 10.0085), // 945 m, another name; near only what is not added
    row('twin', 'Third', 10.0095), // 111 m from the one before
    row('far', 'Nur Masjid', 10.02), // 2.2 km
  )
  const trial = await importText(file, 'Twins', '--dry-run')
  const ran = await importText(file, 'Twins')
  for (const { counts, report } of [trial, ran]) {
    assert.deepEqual([counts.added, counts.duplicates], [2, 3])
    assert.deepEqual(
      report.map(line => line.split(',').slice(0, 3).join(' ')),
      ['duplicate 2 near', 'duplicate 3 named', 'duplicate 5 twin'],
    )
    assert.match(report[0] ?? '', new RegExp(`111 m from a masjid that is there,${id}$`))
    assert.match(report[2] ?? '', /111 m from line 4 \(source_id apart\),$/)
  }
  assert.deepEqual(happened(await importText(file, 'Twins')), { read: 5, unchanged: 2, duplicates: 3 })
})

test('a trial says the same as the import, and writes nothing', async () => {
  const file = csv(rowOf('x', 100), rowOf('y', 101), rowOf('bad', 999))
  assert.deepEqual(happened(await importText(file, 'Trial', '--dry-run')), { read: 3, added: 2, refused: 1 })
  const rows = await database().query(sql`select from public.up_masjid_origins where source = 'Trial'`)
  const entries = await database().query(sql`select from minaret.audit_log where detail ->> 'source' = 'Trial'`)
  assert.deepEqual([rows.length, entries.length], [0, 0])
})

test('names in addresses stay unique, and those of another source keep their ids', async () => {
  const same = (id: string, place: number) => `${id},Same Name,1 Road,Same City,PK,33.5,${place}`
  await importText(csv(same('1', 110), same('2', 111), same('3', 112)), 'Slugs')
  await importText(csv(same('1', 113)), 'Other slugs')
  const slugs = await Promise.all(['1', '2', '3'].map(async id => (await stored('Slugs', id)).slug))
  assert.deepEqual(slugs.slice(0, 2), ['same-name', 'same-name-same-city'])
  assert.match(slugs[2] ?? '', /^same-name-same-city-[0-9a-z]{9,10}$/)
  assert.notEqual((await stored('Slugs', '1')).id, (await stored('Other slugs', '1')).id)
})

test('the writing role cannot leave out the audit trail by naming its transaction an import', async () => {
  const id = await insertMasjid(database())
  await database().transaction(async transaction => {
    await transaction.query(sql`
      select set_config('minaret.importing', 'yes', true), set_config('minaret.masjids', '*', true), set_config('minaret.own_masjids', '*', true)`)
    await transaction.run(sql`set local role minaret_writer`)
    await transaction.run(sql`update public.up_masjids set city = 'Elsewhere' where id = ${id}`)
  })
  const trail = await database().query(
    sql`select from public.written_rows where record_key = ${id} and kind = 'update'`,
  )
  assert.equal(trail.length, 1)
})
