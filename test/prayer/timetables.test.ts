// Published timetables → the times people pray by: above rules, newest on top, and taken back exactly.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../src/db/sql.ts'
import { insertRule, resolvedTimes } from '../support/iqamah.ts'
import { insertMasjid, type TestMasjid } from '../support/masjids.ts'
import { useDatabase } from '../support/open-database.ts'
import { fillDays } from '../support/prayer-times.ts'

const database = useDatabase()
const FROM = new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10)
const dayAfter = (days: number): string => new Date(Date.parse(FROM) + days * 86_400_000).toISOString().slice(0, 10)
const FRIDAY = dayAfter((5 - new Date(FROM).getUTCDay() + 7) % 7)

interface Entry {
  readonly date: string
  readonly prayer: string
  readonly session?: number
  readonly adhan?: string
  readonly iqamah?: string
}

const publish = async (masjid: string, days: readonly Entry[], source: string | null = null): Promise<string> => {
  const row = await database().first<{ id: string }>(sql`
    select id from store_timetable(${masjid}, 'sheet.csv', ${JSON.stringify(days)}, ${source})`)
  assert.ok(row)
  return row.id
}
const undo = (timetable: string) => database().query(sql`select id from undo_timetable(${timetable})`)

const masjidWithDays = async (place: TestMasjid = {}, days = 15): Promise<string> => {
  const masjid = await insertMasjid(database(), place)
  await fillDays(database(), { from: FROM, days })
  return masjid
}

const iqamahOf = async (masjid: string, date: string, prayer: string, session = 1) => {
  const found = await resolvedTimes(database(), masjid, date)
  const time = found.find(one => one.prayer === prayer && one.session === session)
  return time === undefined ? undefined : { iqamah: time.iqamah_local?.slice(0, 16), source: time.source }
}

test('an uploaded day stands above rules; other days follow the rules', async () => {
  const masjid = await masjidWithDays()
  await insertRule(database(), masjid, { prayer: 'fajr', rule: 'fixed', fixed_time: '06:00', priority: 100 })
  await publish(masjid, [{ date: FROM, prayer: 'fajr', iqamah: '06:17' }])
  assert.deepEqual(await iqamahOf(masjid, FROM, 'fajr'), { iqamah: `${FROM} 06:17`, source: 'uploaded' })
  assert.deepEqual(await iqamahOf(masjid, dayAfter(1), 'fajr'), { iqamah: `${dayAfter(1)} 06:00`, source: 'manual' })
})

test('an uploaded adhan moves the iqamah that a rule gives; an uploaded Isha after midnight is that of the night', async () => {
  const masjid = await masjidWithDays()
  await insertRule(database(), masjid, { prayer: 'asr', rule: 'offset', offset_minutes: 10 })
  await publish(masjid, [
    { date: FROM, prayer: 'asr', adhan: '15:40' },
    { date: FROM, prayer: 'isha', iqamah: '00:20' },
  ])
  const times = await resolvedTimes(database(), masjid, FROM)
  const asr = times.find(({ prayer }) => prayer === 'asr')
  assert.deepEqual([asr?.adhan_local?.slice(11, 16), asr?.iqamah_local?.slice(11, 16)], ['15:40', '15:50'])
  assert.equal((await iqamahOf(masjid, FROM, 'isha'))?.iqamah, `${dayAfter(1)} 00:20`)
})

test('a timetable adds sessions that no rule has', async () => {
  const masjid = await masjidWithDays()
  await publish(masjid, [
    { date: FRIDAY, prayer: 'jumuah', iqamah: '13:00' },
    { date: FRIDAY, prayer: 'jumuah', session: 2, iqamah: '14:00' },
  ])
  assert.equal((await iqamahOf(masjid, FRIDAY, 'jumuah', 2))?.iqamah, `${FRIDAY} 14:00`)
  const friday = await resolvedTimes(database(), masjid, FRIDAY)
  assert.equal(friday.length, 7, 'five prayers and two sessions, each once')
})

test('undo takes a timetable back to what was before, also after another was published on top', async () => {
  const masjid = await masjidWithDays()
  const first = await publish(masjid, [
    { date: FROM, prayer: 'fajr', iqamah: '06:10' },
    { date: dayAfter(1), prayer: 'fajr', iqamah: '06:11' },
  ])
  const second = await publish(masjid, [{ date: FROM, prayer: 'fajr', iqamah: '06:20' }])
  assert.equal((await iqamahOf(masjid, FROM, 'fajr'))?.iqamah, `${FROM} 06:20`)
  await undo(first)
  assert.equal((await iqamahOf(masjid, FROM, 'fajr'))?.iqamah, `${FROM} 06:20`, 'what was published later stays')
  assert.equal((await iqamahOf(masjid, dayAfter(1), 'fajr'))?.source, 'calculated')
  const third = await publish(masjid, [{ date: FROM, prayer: 'fajr', iqamah: '06:30' }])
  await undo(third)
  assert.equal((await iqamahOf(masjid, FROM, 'fajr'))?.iqamah, `${FROM} 06:20`)
  await undo(second)
  assert.equal((await iqamahOf(masjid, FROM, 'fajr'))?.source, 'calculated')
})

test('a newer timetable of a followed source replaces the older one, days that it no longer has included', async () => {
  const masjid = await masjidWithDays()
  const source = await database().first<{ id: string }>(sql`
    insert into pc_prayer_sources (masjid_id, kind, label, url)
    values (${masjid}, 'api', 'Sheet', 'https://sheet.test/times.csv') returning id`)
  assert.ok(source)
  await publish(masjid, [{ date: dayAfter(1), prayer: 'isha', iqamah: '21:00' }], source.id)
  const newer = await publish(masjid, [{ date: FROM, prayer: 'isha', iqamah: '21:05' }], source.id)
  assert.deepEqual(await iqamahOf(masjid, FROM, 'isha'), { iqamah: `${FROM} 21:05`, source: 'api' })
  assert.equal((await iqamahOf(masjid, dayAfter(1), 'isha'))?.source, 'calculated')
  await undo(newer)
  assert.equal((await iqamahOf(masjid, dayAfter(1), 'isha'))?.iqamah, `${dayAfter(1)} 21:00`)
})

test('rules give up the days they explain, keep the exceptions, and are undone with the timetable', async () => {
  const masjid = await masjidWithDays()
  const adhan = (await resolvedTimes(database(), masjid, FROM, dayAfter(9))).filter(({ prayer }) => prayer === 'dhuhr')
  const days = adhan.map(({ date }, index) => ({ date, prayer: 'dhuhr', iqamah: index === 3 ? '13:45' : '13:30' }))
  const timetable = await publish(masjid, days)
  const rules = JSON.stringify([{ prayer: 'dhuhr', rule: 'fixed', fixed_time: '13:30' }])
  await database().query(sql`
    select (adopt_rules(timetable, ${rules})).id from pc_timetables timetable where id = ${timetable}`)
  const sources = async () =>
    Map.groupBy(
      (await resolvedTimes(database(), masjid, FROM, dayAfter(9))).filter(({ prayer }) => prayer === 'dhuhr'),
      ({ source, iqamah_local }) => `${source} ${iqamah_local?.slice(11, 16)}`,
    )
  const found = await sources()
  assert.deepEqual([...found].map(([key, rows]) => [key, rows.length]).sort(), [
    ['manual 13:30', 9],
    ['uploaded 13:45', 1],
  ])
  assert.equal((await iqamahOf(masjid, dayAfter(12), 'dhuhr'))?.iqamah, `${dayAfter(12)} 13:30`, 'rules go on')
  await undo(timetable)
  assert.deepEqual([...(await sources()).keys()], ['calculated undefined'])
})

test('a rule that changes on Fridays keeps the time of the last Friday', async () => {
  const masjid = await masjidWithDays({}, 20)
  await insertRule(database(), masjid, { prayer: 'isha', rule: 'offset', offset_minutes: 15 })
  await database().run(sql`update pc_iqamah_schedules set changes_on = 5 where masjid_id = ${masjid}`)
  const times = (await resolvedTimes(database(), masjid, FRIDAY, dayAfter(19))).filter(
    ({ prayer }) => prayer === 'isha',
  )
  const clock = (index: number) => times[index]?.iqamah_local?.slice(11, 16)
  for (const index of [1, 2, 3, 4, 5, 6]) {
    const adhan = times[index]?.adhan_local?.slice(11, 16) ?? ''
    assert.equal(clock(index), [clock(0) ?? '', adhan].sort().at(-1), `day ${index}`)
  }
  const friday = times[7]
  assert.equal(Number(friday?.iqamah_at) - Number(friday?.adhan_at), 15 * 60_000)
})

for (const [reason, days] of [
  ['nothing', []],
  ['a day without a time', [{ date: FROM, prayer: 'fajr' }]],
  ['a prayer that there is not', [{ date: FROM, prayer: 'brunch', iqamah: '11:00' }]],
  ['a time that there is not', [{ date: FROM, prayer: 'fajr', iqamah: '25:00' }]],
  ['the same day twice', [1, 2].map(() => ({ date: FROM, prayer: 'fajr', iqamah: '06:00' }))],
  ['Jumu’ah on another day', [{ date: dayAfter(FRIDAY === FROM ? 1 : 0), prayer: 'jumuah', iqamah: '13:00' }]],
  ['a day in ten years', [{ date: '2099-01-01', prayer: 'fajr', iqamah: '06:00' }]],
] as const)
  test(`refused: ${reason}`, async () => {
    const masjid = await insertMasjid(database())
    await assert.rejects(publish(masjid, days), { code: /^23/ })
  })
