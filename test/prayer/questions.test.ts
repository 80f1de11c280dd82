// Common questions, each one GraphQL query with an index behind it: at 5,000 masjids no big table is scanned.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { rawSql, sql } from '../../src/db/sql.ts'
import { runOperations } from '../../src/graphql/entrance/entrance.ts'
import { dataOf, everything, useEngine } from '../graphql/use-engine.ts'
import { loadManyMasjids } from './many-masjids.ts'

const running = useEngine(loadManyMasjids)

interface PlanNode {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly Plans?: readonly PlanNode[]
}

const bigTables = [
  'announced_reach',
  'announced_times',
  'pc_calculated_times',
  'pc_iqamah_schedules',
  'pc_prayer_sources',
  'up_masjids',
  'up_events',
  'up_event_occurrences',
]

const scansOf = (node: PlanNode): string[] => [
  ...(node['Node Type'] === 'Seq Scan' && bigTables.includes(node['Relation Name'] ?? '')
    ? [String(node['Relation Name'])]
    : []),
  ...(node.Plans ?? []).flatMap(scansOf),
]

/** The statement sent by the engine, planned with its values and, like a prepared statement, without them. */
const plansOf = async (text: string, values: readonly (string | null)[]): Promise<PlanNode[]> => {
  const client = new pg.Client(running().database.connection)
  await client.connect()
  try {
    const known = await client.query(`explain (format json) ${text}`, [...values])
    const any = await client.query(`explain (format json, generic_plan) ${text}`)
    return [known, any].map(({ rows }) => rows[0]['QUERY PLAN'][0].Plan as PlanNode)
  } finally {
    await client.end()
  }
}

// biome-ignore lint/suspicious/noExplicitAny: a response has the shape of its query
const ask = async (query: string, variables: Record<string, unknown> = {}): Promise<any> => {
  const { engine } = running()
  const sent: { text: string; values: readonly (string | null)[] }[] = []
  const read: typeof engine.reader.read = (statement, signal) => {
    sent.push(statement)
    return engine.reader.read(statement, signal)
  }
  const watched = { ...engine, reader: { ...engine.reader, read } }
  const outcomes = await runOperations(watched, [{ query, variables, operationName: undefined }], { grant: everything })
  assert.equal(sent.length, 1, 'one query, one statement')
  for (const { text, values } of sent)
    for (const plan of await plansOf(text, values)) assert.deepEqual(scansOf(plan), [], `scans a big table: ${text}`)
  return JSON.parse(dataOf(outcomes))
}

const place = 'latitude: 35.5, longitude: -78'

const firstMasjid = async (): Promise<string> => {
  const row = await running().database.first<{ id: string }>(sql`select id from up_masjids where slug = 'masjid-0'`)
  assert.ok(row)
  return row.id
}

test('today’s times of a masjid', async () => {
  const id = await firstMasjid()
  const byDate = await ask(
    `query ($id: uuid!) { pc_prayer_times(where: {masjid_id: {_eq: $id}, date: {_eq: "2026-06-17"}}, order_by: {adhan_at: asc}) {
      prayer session adhan_at iqamah_at iqamah_local source source_updated_at masjid { name } } }`,
    { id },
  )
  assert.deepEqual(
    byDate.pc_prayer_times.map(({ prayer }: { prayer: string }) => prayer),
    ['fajr', 'dhuhr', 'asr', 'maghrib', 'isha'],
  )
  assert.deepEqual(byDate.pc_prayer_times[1].masjid, { name: 'Masjid 0' })
  const today = await ask(
    `query ($id: uuid!) { pc_prayer_times_today(args: {masjid_id: $id, at: "2026-06-18T02:00:00Z"}) { date prayer } }`,
    { id },
  )
  // 02:00 UTC is still the evening before in North Carolina
  assert.deepEqual(today.pc_prayer_times_today[0], { date: '2026-06-17', prayer: 'fajr' })
  const nested = await ask(
    `query ($id: uuid!) { up_masjids_by_pk(id: $id) { name prayer_times(where: {date: {_eq: "2026-06-19"}}) { prayer session khutbah_at } } }`,
    { id },
  )
  assert.equal(nested.up_masjids_by_pk.prayer_times.length, 7)
})

test('the next prayer near me', async () => {
  const { pc_next_prayers_nearby: next } = await ask(`{
    pc_next_prayers_nearby(args: {${place}, radius_km: 10, at: "2026-06-17T20:00:00Z"}, limit: 5) {
      prayer iqamah_at masjid { name distance_km(args: {${place}}) } } }`)
  assert.equal(next.length, 5)
  const distances = next.map((one: { masjid: { distance_km: number } }) => one.masjid.distance_km)
  assert.deepEqual(
    distances,
    distances.toSorted((one: number, other: number) => one - other),
  )
  assert.deepEqual([...new Set(next.map(({ prayer }: { prayer: string }) => prayer))], ['asr'])
})

test('masjids within ten kilometres whose Isha iqamah today is after 22:15', async () => {
  const query = (time: string) => `{
    up_masjids_nearby(args: {${place}, radius_km: 10}, limit: 100,
      where: {prayer_times: {prayer: {_eq: isha}, date: {_eq: "2026-06-17"}, iqamah_local: {_gt: "2026-06-17T${time}:00"}}}) {
      name prayer_times(where: {prayer: {_eq: isha}, date: {_eq: "2026-06-17"}}) { iqamah_local } } }`
  const late = (await ask(query('22:15'))).up_masjids_nearby
  const all = (await ask(query('20:00'))).up_masjids_nearby
  assert.ok(late.length > 0 && late.length < all.length, `${late.length} of ${all.length}`)
  for (const masjid of late) assert.ok(masjid.prayer_times[0].iqamah_local > '2026-06-17T22:15:00')
  const byFunction = await ask(`{
    pc_prayer_times_nearby(args: {${place}, at: "2026-06-17T20:00:00Z"}, limit: 100,
      where: {prayer: {_eq: isha}, iqamah_local: {_gt: "2026-06-17T22:15:00"}}) { masjid_id } }`)
  assert.equal(byFunction.pc_prayer_times_nearby.length, late.length)
})

test('Jumu’ah sessions in a city this Friday', async () => {
  const { pc_prayer_times: sessions } = await ask(`{
    pc_prayer_times(where: {prayer: {_eq: jumuah}, date: {_eq: "2026-06-19"}, masjid: {city: {_eq: "City 7"}}},
      order_by: [{iqamah_at: asc}, {masjid_id: asc}], limit: 100) {
      session khutbah_at iqamah_local masjid { name city } } }`)
  assert.equal(sessions.length, 100)
  assert.ok(sessions.every((one: { masjid: { city: string } }) => one.masjid.city === 'City 7'))
  assert.deepEqual([sessions[0].session, sessions[0].iqamah_local], [1, '2026-06-19T13:30:00'])
})

test('changes since a moment, including deletions', async () => {
  const id = await firstMasjid()
  const { database } = running()
  await database.run(sql`update up_masjids set phone = '555-0101' where id = ${id}`)
  await database.run(
    sql`update up_events set deleted_at = now() where id in (select id from up_events where masjid_id = ${id} limit 1)`,
  )
  const gone = await database.first<{ id: string }>(sql`
    delete from pc_iqamah_schedules where id in (select id from pc_iqamah_schedules where masjid_id = ${id} limit 1) returning id`)
  await database.run(rawSql('analyze deleted_rows'))
  const since = `where: {changed_at: {_gt: "2026-02-01T00:00:00Z"}}, order_by: [{changed_at: asc}, {id: asc}], limit: 100`
  const changes = await ask(`{
    up_changes(${since}) { table_name id masjid_id changed_at is_deleted }
    pc_changes(${since}) { table_name id masjid_id is_deleted } }`)
  const seen = changes.up_changes.map((one: { table_name: string; is_deleted: boolean }) => [
    one.table_name,
    one.is_deleted,
  ])
  assert.deepEqual(seen.toSorted(), [
    ['up_events', true],
    ['up_masjids', false],
  ])
  assert.deepEqual(changes.pc_changes, [
    { table_name: 'pc_iqamah_schedules', id: gone?.id, masjid_id: id, is_deleted: true },
  ])
  const hidden = await ask(
    `query ($id: uuid!) { up_events_aggregate(where: {masjid_id: {_eq: $id}}) { aggregate { count } } }`,
    { id },
  )
  assert.equal(hidden.up_events_aggregate.aggregate.count, 1, 'deleted rows are not shown elsewhere')
})
