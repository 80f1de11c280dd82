// The rows of a running service: filled and kept by its job, followed by answers from memory, checked, and told to nobody.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { sql } from '../../../src/db/sql.ts'
import { readScreenContent } from '../../../src/screens/read-screen.ts'
import { useKept } from '../../answers/use-kept.ts'
import { masjidId } from '../../graphql/fixture.ts'
import { type Arguments, callFor, textOf, tokensFor } from '../../mcp/use-mcp.ts'
import { scrape } from '../../observability/scrape.ts'
import { addScreens, makeKeeper } from '../../screens/pair-screen.ts'
import { insertRule } from '../../support/iqamah.ts'
import { makePerson, within } from '../../support/oauth.ts'
import { readersGetTheDefinition } from './use-kept-times.ts'

const { api, bodyOf, run, untilKept } = useKept({ METRICS_PORT: '0' })
const database = () => api().minaret.service.database
const masjid = masjidId(1)
const times = (columns: string, day: string): string =>
  `{ pc_prayer_times(where: {masjid_id: {_eq: "${masjid}"}, date: {_eq: "${day}"}, prayer: {_eq: asr}}) { ${columns} } }`
const today = new Date().toISOString().slice(0, 10)
const ask = async (query: string) => (await bodyOf(api().post({ query }))).data.pc_prayer_times[0]

const countRows = async (): Promise<number> =>
  (
    await database().first<{ count: number }>(
      sql`select count(*)::int as count from announced_times where masjid_id = ${masjid}`,
    )
  )?.count ?? 0

const areKept = () =>
  within(60_000, 'the rows are kept', async () => {
    const row = await database().first<{ kept: boolean }>(sql`
      select exists (select from announced_reach where masjid_id = ${masjid} and last_date > current_date + 390)
        and not exists (select from outdated_times where masjid_id = ${masjid}) as kept`)
    return row?.kept === true
  })

before(async () => {
  await insertRule(database(), masjid, { prayer: 'asr', rule: 'offset', offset_minutes: 11 })
  await areKept()
})

test('the first rule gives a masjid rows, as far as it is calculated', async () => {
  assert.ok((await countRows()) > 390 * 5)
  await readersGetTheDefinition(database())
})

test('who asks after a rule was changed sees the change, and only the rule is told of', async () => {
  const query = times('adhan_at iqamah_at', today)
  await untilKept(query)
  const { adhan_at: adhan } = await ask(query)
  const told = await database().transaction(async transaction => {
    await transaction.run(sql`
      update pc_iqamah_schedules set offset_minutes = 25 where masjid_id = ${masjid} and prayer = 'asr'`)
    await transaction.run(sql`set constraints all immediate`)
    return transaction.query<{ table_name: string }>(
      sql`select table_name from changes.log where xid = pg_current_xact_id()`,
    )
  })
  const { iqamah_at: iqamah } = await ask(query)
  assert.equal(Date.parse(iqamah) - Date.parse(adhan), 25 * 60_000)
  assert.deepEqual(told, [{ table_name: 'public.pc_iqamah_schedules' }])
})

test('is_recalculating says that a place has changed, until its times are there', async () => {
  const query = times('adhan_at is_recalculating', today)
  await untilKept(query)
  const before = await ask(query)
  assert.equal(before.is_recalculating, false)
  await run(`update up_masjids set longitude = longitude + 10 where id = '${masjid}'`)
  // the job may have been quicker
  const after = await ask(query)
  assert.ok(after.is_recalculating || after.adhan_at !== before.adhan_at)
  await within(30_000, 'calculated anew', async () => !(await ask(query)).is_recalculating)
  assert.notEqual((await ask(query)).adhan_at, before.adhan_at)
  await areKept()
  await readersGetTheDefinition(database())
})

test('a row that does not agree is found within a day, mended and counted', async () => {
  const mended = async () =>
    (await scrape(api().minaret)).find(
      ({ name, labels }) => name === 'minaret_announced_times_mended_total' && labels.schema === 'public',
    )?.value
  assert.equal(await mended(), 0)
  await run(
    `update announced_times set iqamah_at = iqamah_at + interval '1 hour' where masjid_id = '${masjid}' and date = '${today}'`,
  )
  await run(`update announced_reach set checked_at = now() - interval '25 hours' where masjid_id = '${masjid}'`)
  await within(30_000, 'mended', async () => (await mended()) === 1)
  await readersGetTheDefinition(database())
})

test('what keeps the rows is no change that anybody is told of', async () => {
  const since = (await database().first<{ at: Date }>(sql`select clock_timestamp() as at`))?.at.toISOString()
  await run(`update pc_iqamah_schedules set offset_minutes = offset_minutes + 1 where masjid_id = '${masjid}'`)
  const { data } = await bodyOf(
    api().post({ query: `{ pc_changes(where: {changed_at: {_gt: "${since}"}}) { table_name masjid_id } }` }),
  )
  assert.deepEqual(data.pc_changes, [{ table_name: 'pc_iqamah_schedules', masjid_id: masjid }])
  // change log, history, feeds, subscriptions and webhooks all begin with a trigger of the table
  const triggers = await database().query<{ name: string }>(sql`
    select tgrelid::regclass || ' ' || tgname as name from pg_trigger
    where not tgisinternal and tgrelid::regclass::text in ('announced_times', 'announced_reach', 'outdated_times') order by 1`)
  assert.deepEqual(
    triggers.map(({ name }) => name),
    ['announced_reach remove_announced', 'outdated_times settle_own'],
  )
})

test('nobody but the owner reads or writes what is behind the view, nor does the API show it', async () => {
  const rights = await database().query<{ name: string }>(sql`
    select rolname || ' ' || behind as name
    from pg_roles, unnest(array['announced_times', 'announced_reach', 'outdated_times', 'defined_prayer_times']) behind
    where rolname ~ '^minaret_' and has_table_privilege(rolname, 'public.' || behind, 'select, insert, update, delete')`)
  assert.deepEqual(rights, [])
  const { data } = await bodyOf(api().post({ query: '{ __schema { types { name fields { name } } } }' }))
  assert.doesNotMatch(JSON.stringify(data), /announced_(times|reach)|outdated_times|defined_(day|prayer_times)/)
})

/** One that is prepared on a connection, too, asks the new one. */
const definitionFails = `create or replace function defined_day(masjid uuid, on_day date) returns setof defined_prayer_times
  language plpgsql stable strict parallel safe rows 6 as $$ begin raise exception 'the definition was asked for %', on_day; end $$`

const inDays = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
const nearby = 'latitude: 35.1, longitude: -78.1, radius_km: 500'
const questions = (): readonly string[] => [
  times('iqamah_at', today),
  `{ pc_prayer_times(where: {masjid_id: {_eq: "${masjid}"}, date: {_gte: "${inDays(370)}"}}, order_by: {date: asc}, limit: 100) { iqamah_at } }`,
  `{ pc_prayer_times(where: {masjid_id: {_eq: "${masjid}"}, adhan_at: {_gt: "${new Date().toISOString()}"}}, order_by: {adhan_at: asc}, limit: 100) { iqamah_at } }`,
  `{ pc_prayer_times(where: {prayer: {_eq: isha}, date: {_eq: "${inDays(3)}"}}) { iqamah_at } }`,
  `{ up_masjids(limit: 25) { prayer_times(where: {date: {_eq: "${today}"}}) { adhan_at } } }`,
  `{ pc_prayer_times_today(args: {masjid_id: "${masjid}"}) { adhan_at } }`,
  `{ pc_prayer_times_nearby(args: {${nearby}}) { adhan_at } }`,
  `{ pc_next_prayers_nearby(args: {${nearby}}) { adhan_at } }`,
]
const tools: readonly (readonly [string, Arguments])[] = [
  ['get_prayer_times', { masjid: 'masjid-1' }],
  ['get_prayer_times', { masjid: 'masjid-1', month: inDays(31).slice(0, 7) }],
  ['get_next_prayer', { masjid: 'masjid-1' }],
  ['get_jumuah', { masjid: 'masjid-1' }],
]
const pages = [
  '/',
  '/m/masjid-1',
  `/m/masjid-1?month=${inDays(31).slice(0, 7)}`,
  '/m/masjid-1/widget',
  '/m/masjid-1/og.png',
  '/m/masjid-1/prayer-times.ics',
  '/m/masjid-1/prayer-times.ics?days=300',
  '/find?q=masjid',
  '/find?lat=35.1&lon=-78.1',
]

test('whatever reads times of settled masjids reads rows: the definition is not asked', async () => {
  const keeper = await makeKeeper(api().minaret)
  await addScreens(api().minaret, keeper, 1)
  await run(`insert into pc_iqamah_schedules (masjid_id, prayer, rule, offset_minutes)
    select id, 'isha', 'offset', 5 from up_masjids where deleted_at is null`)
  await within(60_000, 'all are kept', async () => {
    const row = await database().first<{ left: number }>(sql`
      select (select count(*) from up_masjids where deleted_at is null) - (select count(*) from announced_reach
        where last_date > current_date + 390 and masjid_id not in (select masjid_id from outdated_times))::int as left`)
    return Number(row?.left) === 0
  })
  const member = await makePerson(database())
  const { access_token: token } = await tokensFor(api().minaret, member)
  const [screen] = await database().query<{ grant_id: string }>(sql`select grant_id from minaret.screens`)
  await run(definitionFails)
  await assert.rejects(run(`select * from defined_day('${masjid}', '${today}')`), /the definition was asked/)
  for (const query of questions()) {
    const { errors, data } = await bodyOf(api().post({ query }))
    assert.equal(errors, undefined, query)
    assert.match(JSON.stringify(data), /_at/, query)
  }
  const { baseUrl } = api().minaret
  for (const [tool, sent] of tools) {
    const result = await callFor(baseUrl, tool, sent, token)
    assert.notEqual(result.isError, true, textOf(result))
  }
  for (const page of pages) assert.equal((await fetch(`${baseUrl}${page}`)).status, 200, page)
  const content = await readScreenContent(database(), screen?.grant_id ?? '')
  assert.ok((content?.times.length ?? 0) > 100)
})
