// The rows of a running service: filled and kept by its job, followed by answers from memory, checked, and told to nobody.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { sql } from '../../../src/db/sql.ts'
import { useKept } from '../../answers/use-kept.ts'
import { masjidId } from '../../graphql/fixture.ts'
import { scrape } from '../../observability/scrape.ts'
import { insertRule } from '../../support/iqamah.ts'
import { within } from '../../support/oauth.ts'
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
