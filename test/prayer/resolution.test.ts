// Iqamah rules → the times people pray by: every kind of rule, and the days of clock changes.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../src/db/sql.ts'
import { insertRule, type ResolvedTime, resolvedTimes, type TestRule } from '../support/iqamah.ts'
import { insertMasjid, type TestMasjid } from '../support/masjids.ts'
import { useDatabase } from '../support/open-database.ts'
import { fillDays } from '../support/prayer-times.ts'

const database = useDatabase()

/** A masjid with these rules, calculated for a few days from the given one. */
const masjidWith = async (
  rules: readonly TestRule[],
  from: string,
  place: TestMasjid = {},
  days = 3,
): Promise<string> => {
  const masjid = await insertMasjid(database(), place)
  for (const rule of rules) assert.ok(await insertRule(database(), masjid, rule), JSON.stringify(rule))
  await fillDays(database(), { from, days })
  return masjid
}

const pick = (times: readonly ResolvedTime[], prayer: string, session = 1): ResolvedTime => {
  const found = times.filter(time => time.prayer === prayer && time.session === session)
  assert.equal(found.length, 1, `${prayer} ${session}`)
  return found[0] as ResolvedTime
}

const resolve = async (
  rules: readonly TestRule[],
  date: string,
  prayer: string,
  place: TestMasjid = {},
): Promise<ResolvedTime> => {
  const masjid = await masjidWith(rules, date, place)
  return pick(await resolvedTimes(database(), masjid, date), prayer)
}

test('without rules the five prayers have only their adhan', async () => {
  const masjid = await masjidWith([], '2026-01-14')
  const times = await resolvedTimes(database(), masjid, '2026-01-14')
  assert.deepEqual(
    times.map(({ prayer }) => prayer),
    ['fajr', 'dhuhr', 'asr', 'maghrib', 'isha'],
  )
  for (const time of times) {
    assert.ok(time.adhan_at)
    assert.equal(time.iqamah_at, null)
    assert.equal(time.source, 'calculated')
  }
})

test('fixed, offset and rounded offset', async () => {
  const fixed = await resolve([{ prayer: 'dhuhr', rule: 'fixed', fixed_time: '13:30' }], '2026-01-14', 'dhuhr')
  assert.equal(fixed.iqamah_local, '2026-01-14 13:30:00')
  assert.equal(fixed.iqamah_at?.toISOString(), '2026-01-14T18:30:00.000Z')
  const offset = await resolve([{ prayer: 'maghrib', rule: 'offset', offset_minutes: 7 }], '2026-01-14', 'maghrib')
  assert.equal(Number(offset.iqamah_at) - Number(offset.adhan_at), 7 * 60_000)
  const rounded = await resolve(
    [{ prayer: 'asr', rule: 'rounded_offset', offset_minutes: 10, round_to: 15 }],
    '2026-01-14',
    'asr',
  )
  assert.match(rounded.iqamah_local ?? '', /:(00|15|30|45):00$/)
  const wait = (Number(rounded.iqamah_at) - Number(rounded.adhan_at)) / 60_000
  assert.ok(wait >= 10 && wait < 25, `${wait}`)
})

test('a time already on the step is not moved to the next', async () => {
  const plain = await resolve([], '2026-01-14', 'dhuhr')
  const minute = Number(plain.adhan_local?.slice(14, 16))
  const offset_minutes = (60 - minute) % 15
  const rounded = await resolve(
    [{ prayer: 'dhuhr', rule: 'rounded_offset', offset_minutes, round_to: 15 }],
    '2026-01-14',
    'dhuhr',
  )
  assert.equal(Number(rounded.iqamah_at) - Number(plain.adhan_at), offset_minutes * 60_000)
})

test('not before and not after limit the iqamah, but never move it before the adhan', async () => {
  const rule = { prayer: 'isha', rule: 'offset', offset_minutes: 10 } as const
  assert.equal(
    (await resolve([{ ...rule, not_before: '20:00' }], '2026-01-14', 'isha')).iqamah_local,
    '2026-01-14 20:00:00',
  )
  const summer = await resolve([{ ...rule, offset_minutes: 60, not_after: '22:30' }], '2026-07-01', 'isha')
  assert.equal(summer.iqamah_local, '2026-07-01 22:30:00')
  const early = await resolve([{ ...rule, not_after: '20:00' }], '2026-07-01', 'isha')
  assert.deepEqual(early.iqamah_at, early.adhan_at)
})

test('a fixed time before the adhan is kept as announced', async () => {
  const early = await resolve([{ prayer: 'isha', rule: 'fixed', fixed_time: '21:00' }], '2026-07-01', 'isha')
  assert.ok(Number(early.iqamah_at) < Number(early.adhan_at))
})

test('an Isha iqamah after midnight belongs to the night of its prayer day', async () => {
  const edinburgh = { latitude: 55.95, longitude: -3.19, timezone: 'Europe/London' }
  const fixed = await resolve([{ prayer: 'isha', rule: 'fixed', fixed_time: '00:15' }], '2026-06-20', 'isha', edinburgh)
  assert.equal(fixed.iqamah_local, '2026-06-21 00:15:00')
  const bounded = await resolve(
    [{ prayer: 'isha', rule: 'offset', offset_minutes: 5, not_before: '00:30' }],
    '2026-06-20',
    'isha',
    edinburgh,
  )
  assert.equal(bounded.iqamah_local, '2026-06-21 00:30:00')
})

test('where the sun gives no time, a fixed iqamah stays and the others are unknown', async () => {
  const arjeplog = { latitude: 66.7222444, longitude: 17.7189, timezone: 'Europe/Stockholm' }
  const rules = [
    { prayer: 'isha', rule: 'fixed', fixed_time: '23:00' },
    { prayer: 'maghrib', rule: 'offset', offset_minutes: 5 },
  ] as const
  const masjid = await masjidWith(rules, '2026-06-21', arjeplog)
  const times = await resolvedTimes(database(), masjid, '2026-06-21')
  assert.equal(pick(times, 'isha').adhan_at, null)
  assert.equal(pick(times, 'isha').iqamah_local, '2026-06-21 23:00:00')
  assert.equal(pick(times, 'maghrib').iqamah_at, null)
})

test('on both days of clock changes a wall-clock time is the right instant', async () => {
  const rule = { prayer: 'fajr', rule: 'fixed', fixed_time: '06:30' } as const
  const instants = async (date: string, place: TestMasjid = {}) =>
    (await resolve([rule], date, 'fajr', place)).iqamah_at?.toISOString()
  assert.equal(await instants('2026-03-07'), '2026-03-07T11:30:00.000Z')
  assert.equal(await instants('2026-03-08'), '2026-03-08T10:30:00.000Z')
  assert.equal(await instants('2026-10-31'), '2026-10-31T10:30:00.000Z')
  assert.equal(await instants('2026-11-01'), '2026-11-01T11:30:00.000Z')
  const auckland = { latitude: -36.85, longitude: 174.76, timezone: 'Pacific/Auckland' }
  assert.equal(await instants('2026-04-04', auckland), '2026-04-03T17:30:00.000Z')
  assert.equal(await instants('2026-04-05', auckland), '2026-04-04T18:30:00.000Z')
})

test('a skipped wall-clock time uses the old offset, a repeated one is the first (RFC 5545)', async () => {
  const rows = await database().query<{ at: Date }>(sql`
    select local_instant(local::timestamp, zone) as at from (values
      (1, '2026-03-08 02:30', 'America/New_York'), (2, '2026-11-01 01:30', 'America/New_York'),
      (3, '2026-11-01 00:59', 'America/New_York'), (4, '2026-11-01 02:00', 'America/New_York'),
      (5, '2026-03-08 04:00', 'America/New_York'), (6, '2026-04-05 01:45', 'Australia/Lord_Howe'),
      (7, '2026-10-25 01:30', 'Europe/London'), (8, '2026-03-29 01:30', 'Europe/London'),
      (9, '2026-07-01 12:00', 'Asia/Kolkata')) given(n, local, zone) order by n`)
  assert.deepEqual(
    rows.map(row => row.at.toISOString().slice(0, 16)),
    [
      '2026-03-08T07:30',
      '2026-11-01T05:30',
      '2026-11-01T04:59',
      '2026-11-01T07:00',
      '2026-03-08T08:00',
      '2026-04-04T14:45',
      '2026-10-25T00:30',
      '2026-03-29T01:30',
      '2026-07-01T06:30',
    ],
  )
})

test('offsets are elapsed minutes, even across a skipped hour', async () => {
  const rule = { prayer: 'isha', rule: 'offset', offset_minutes: 240 } as const
  // midnight itself is skipped there
  const azores = { latitude: 39.45, longitude: -31.13, timezone: 'Atlantic/Azores' }
  const time = await resolve([rule], '2026-03-28', 'isha', azores)
  assert.match(time.iqamah_local ?? '', /^2026-03-29 01:/)
  assert.equal(Number(time.iqamah_at) - Number(time.adhan_at), 240 * 60_000)
})

test('seasons: daylight and standard time, Ramadan and the rest', async () => {
  const rules = [
    { prayer: 'dhuhr', rule: 'fixed', fixed_time: '13:45', season: 'daylight_time' },
    { prayer: 'dhuhr', rule: 'fixed', fixed_time: '12:45', season: 'standard_time' },
    { prayer: 'isha', rule: 'offset', offset_minutes: 10 },
    { prayer: 'isha', rule: 'offset', offset_minutes: 3, season: 'ramadan' },
    { prayer: 'fajr', rule: 'offset', offset_minutes: 30, season: 'outside_ramadan' },
    { prayer: 'fajr', rule: 'offset', offset_minutes: 10 },
  ] as const
  const masjid = await masjidWith(rules, '2026-02-15', {}, 60)
  const on = async (date: string, prayer: string) => pick(await resolvedTimes(database(), masjid, date), prayer)
  const wait = (time: ResolvedTime): number => (Number(time.iqamah_at) - Number(time.adhan_at)) / 60_000
  assert.equal((await on('2026-03-07', 'dhuhr')).iqamah_local, '2026-03-07 12:45:00')
  assert.equal((await on('2026-03-08', 'dhuhr')).iqamah_local, '2026-03-08 13:45:00')
  assert.equal(wait(await on('2026-02-16', 'isha')), 10)
  assert.equal(wait(await on('2026-02-17', 'isha')), 3)
  assert.equal(wait(await on('2026-02-17', 'fajr')), 30)
  assert.equal(wait(await on('2026-02-18', 'fajr')), 10)
  assert.equal(wait(await on('2026-03-18', 'isha')), 3)
  assert.equal(wait(await on('2026-03-19', 'isha')), 10)
  assert.equal(wait(await on('2026-03-19', 'fajr')), 10)
})

test('weekdays, date ranges and priorities', async () => {
  const rules = [
    { prayer: 'dhuhr', rule: 'fixed', fixed_time: '13:00' },
    { prayer: 'dhuhr', rule: 'fixed', fixed_time: '13:30', weekdays: [6, 7], priority: 1 },
    { prayer: 'dhuhr', rule: 'fixed', fixed_time: '14:00', valid: '[2026-01-17,2026-01-18)', priority: 2 },
  ] as const
  const masjid = await masjidWith(rules, '2026-01-16', {}, 4)
  const at = async (date: string) =>
    pick(await resolvedTimes(database(), masjid, date), 'dhuhr').iqamah_local?.slice(11, 16)
  assert.deepEqual(
    [await at('2026-01-16'), await at('2026-01-17'), await at('2026-01-18'), await at('2026-01-19')],
    ['13:00', '14:00', '13:30', '13:00'],
  )
})

test('several Jumu’ah, each with its khutbah, on Fridays only', async () => {
  const rules = [
    { prayer: 'jumuah', rule: 'fixed', fixed_time: '13:30', khutbah_minutes: 30 },
    { prayer: 'jumuah', session: 2, rule: 'fixed', fixed_time: '14:30', khutbah_minutes: 25 },
    { prayer: 'jumuah', session: 3, rule: 'offset', offset_minutes: 180 },
  ] as const
  const masjid = await masjidWith(rules, '2026-01-15')
  const friday = await resolvedTimes(database(), masjid, '2026-01-16')
  assert.equal(pick(friday, 'jumuah').khutbah_at?.toISOString(), '2026-01-16T18:00:00.000Z')
  assert.equal(pick(friday, 'jumuah', 2).khutbah_at?.toISOString(), '2026-01-16T19:05:00.000Z')
  assert.deepEqual(pick(friday, 'jumuah', 3).adhan_at, pick(friday, 'dhuhr').adhan_at)
  assert.equal(pick(friday, 'jumuah', 3).khutbah_at, null)
  for (const date of ['2026-01-15', '2026-01-17'])
    assert.ok((await resolvedTimes(database(), masjid, date)).every(({ prayer }) => prayer !== 'jumuah'))
})

test('Taraweeh on the nights of Ramadan, from the eve of its first day; Eid on the day itself, after sunrise', async () => {
  const rules = [
    { prayer: 'taraweeh', rule: 'offset', offset_minutes: 30, season: 'ramadan' },
    { prayer: 'eid_fitr', rule: 'rounded_offset', offset_minutes: 40, round_to: 15 },
    { prayer: 'eid_fitr', session: 2, rule: 'fixed', fixed_time: '09:30' },
    { prayer: 'eid_adha', rule: 'fixed', fixed_time: '08:00' },
  ] as const
  const masjid = await masjidWith(rules, '2026-02-10', {}, 130)
  const times = await resolvedTimes(database(), masjid, '2026-02-10', '2026-06-15')
  const days = (prayer: string) => times.filter(time => time.prayer === prayer).map(({ date }) => date)
  assert.equal(days('taraweeh')[0], '2026-02-17')
  assert.equal(days('taraweeh').at(-1), '2026-03-18')
  assert.equal(days('taraweeh').length, 30)
  assert.deepEqual(days('eid_fitr'), ['2026-03-20', '2026-03-20'])
  assert.deepEqual(days('eid_adha'), ['2026-05-27'])
  const eid = pick(
    times.filter(({ date }) => date === '2026-03-20'),
    'eid_fitr',
  )
  assert.equal(eid.adhan_at, null)
  const [sun] = await database().query<{ sunrise: Date }>(sql`
    select sunrise from pc_calculated_times where masjid_id = ${masjid} and date = '2026-03-20'`)
  const wait = (Number(eid.iqamah_at) - Number(sun?.sunrise)) / 60_000
  assert.ok(wait >= 40 && wait < 55)
})

test('a masjid that follows its own moon sighting has its own Ramadan and Eid', async () => {
  const rules = [{ prayer: 'eid_fitr', rule: 'fixed', fixed_time: '08:00' }] as const
  const masjid = await masjidWith(rules, '2026-03-18', { hijri_adjustment: -1 }, 6)
  const times = await resolvedTimes(database(), masjid, '2026-03-18', '2026-03-23')
  assert.deepEqual(
    times.filter(({ prayer }) => prayer === 'eid_fitr').map(({ date }) => date),
    ['2026-03-21'],
  )
  assert.equal(times.find(({ date }) => date === '2026-03-20')?.is_ramadan, true)
})

test('every time has its source, freshness and confidence; a deleted source does not count', async () => {
  const masjid = await insertMasjid(database())
  const source = await database().first<{ id: string }>(sql`
    insert into pc_prayer_sources (masjid_id, kind, label, url, priority, confidence, last_success_at)
    values (${masjid}, 'api', 'The masjid''s screen', 'https://times.example.org/', 5, 0.8, '2026-01-10T00:00:00Z') returning id`)
  assert.ok(source)
  const rule = { prayer: 'dhuhr', rule: 'fixed', fixed_time: '13:00' } as const
  await insertRule(database(), masjid, { ...rule, source_id: source.id })
  await insertRule(database(), masjid, { prayer: 'asr', rule: 'offset', offset_minutes: 10 })
  await fillDays(database(), { from: '2026-01-14', days: 1 })
  const times = await resolvedTimes(database(), masjid, '2026-01-14')
  assert.deepEqual(
    times.map(({ source }) => source),
    ['calculated', 'api', 'manual', 'calculated', 'calculated'],
  )
  assert.equal(pick(times, 'dhuhr').source_updated_at.toISOString(), '2026-01-10T00:00:00.000Z')
  assert.equal(pick(times, 'dhuhr').confidence, '0.80')
  await database().run(sql`update pc_prayer_sources set deleted_at = now() where id = ${source.id}`)
  assert.equal(pick(await resolvedTimes(database(), masjid, '2026-01-14'), 'dhuhr').source, 'calculated')
})

test('deleted rules and deleted masjids are not shown', async () => {
  const masjid = await masjidWith([{ prayer: 'dhuhr', rule: 'fixed', fixed_time: '13:00' }], '2026-01-14')
  await database().run(sql`update pc_iqamah_schedules set deleted_at = now() where masjid_id = ${masjid}`)
  assert.equal(pick(await resolvedTimes(database(), masjid, '2026-01-14'), 'dhuhr').iqamah_at, null)
  await database().run(sql`update up_masjids set deleted_at = now() where id = ${masjid}`)
  assert.deepEqual(await resolvedTimes(database(), masjid, '2026-01-14'), [])
})

test('a khutbah belongs to Jumu’ah', async () => {
  const masjid = await insertMasjid(database())
  const rule = { prayer: 'dhuhr', rule: 'fixed', fixed_time: '13:00', khutbah_minutes: 10 } as const
  await assert.rejects(insertRule(database(), masjid, rule), /khutbah_check/)
})
