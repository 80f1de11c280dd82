// Announced months: what they move, how quickly, and what is refused; with the job running.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { createLogger } from '../../src/base/log.ts'
import { type Database, openDatabase, type Queryable } from '../../src/db/database.ts'
import { sql } from '../../src/db/sql.ts'
import { type PrayerJob, startPrayerJob } from '../../src/prayer/start-prayer-job.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { insertEvent } from '../support/events.ts'
import { insertRule, resolvedTimes } from '../support/iqamah.ts'
import { insertMasjid, type TestMasjid } from '../support/masjids.ts'

const log = createLogger('silent')
const clock = { now: () => new Date('2026-02-10T12:00:00Z') }
/** Only looking for changed rows can have caused what the test waits for, however busy the machine. */
const NO_REVIEW_MS = 3_600_000
const WITHIN_MS = 180_000
const mecca: TestMasjid = {
  latitude: 21.42,
  longitude: 39.83,
  timezone: 'Asia/Riyadh',
  calculation_method: 'UmmAlQura',
}
let throwaway: TestDatabase
let database: Database
let job: PrayerJob

before(async () => {
  throwaway = await createTestDatabase()
  database = openDatabase(throwaway.connection, { poolSize: 12, log })
  job = startPrayerJob({ database, log, clock, reviewMs: NO_REVIEW_MS })
  await job.ready
})

after(async () => {
  await job.stop()
  await database.close()
  await throwaway.drop()
})

interface Day {
  readonly hijri: string
  readonly evening: string
  readonly is_ramadan: boolean
  readonly isha_after: number
  readonly changed: string
}

const dayOf = async (masjid: string, date: string): Promise<Day> => {
  const day = await database.first<Day>(sql`
    select concat_ws('-', hijri_year, hijri_month, hijri_day) as hijri,
      concat_ws('-', evening_hijri_year, evening_hijri_month, evening_hijri_day) as evening, is_ramadan,
      (extract(epoch from isha - maghrib) / 60)::int as isha_after, updated_at::text as changed
    from pc_calculated_times where masjid_id = ${masjid} and date = ${date}`)
  assert.ok(day, `${date} has no times`)
  return day
}

const until = async (condition: () => Promise<boolean>): Promise<void> => {
  const deadline = Date.now() + WITHIN_MS
  while (!(await condition())) {
    assert.ok(Date.now() < deadline, `not within ${WITHIN_MS} ms`)
    await delay(25)
  }
}

const becomes = (masjid: string, date: string, hijri: string): Promise<void> =>
  until(async () => (await dayOf(masjid, date)).hijri === hijri)

interface Announcement {
  readonly masjid?: string
  readonly authority?: string
  readonly month: readonly [year: number, month: number]
  readonly on: string
}

const announce = (
  { masjid, authority, month: [year, month], on }: Announcement,
  through: Queryable = database,
): Promise<object[]> =>
  through.query(sql`
    select announce_hijri_month(${year}::int, ${month}::int, ${on}::date, masjid_id => ${masjid ?? null}::uuid,
      authority_id => ${authority ?? null}::uuid)`)

/** The announced days, in the order of the months. */
const announced = async ({ masjid, authority }: Pick<Announcement, 'masjid' | 'authority'>): Promise<string[]> => {
  const rows = await database.query<{ starts_on: string }>(sql`
    select starts_on::text from pc_hijri_months
    where deleted_at is null and (masjid_id = ${masjid ?? null} or authority_id = ${authority ?? null})
    order by hijri_year, hijri_month`)
  return rows.map(({ starts_on }) => starts_on)
}

const announcementWaits = async (): Promise<boolean> =>
  (
    await database.query(sql`
      select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
        and query like '%announce_hijri_month%'`)
  ).length > 0

const newMasjid = async (given: TestMasjid = mecca): Promise<string> => {
  const masjid = await insertMasjid(database, given)
  await job.settled()
  return masjid
}

const newAuthority = async (name: string): Promise<string> => {
  const row = await database.first<{ id: string }>(
    sql`insert into pc_hijri_authorities (name) values (${name}) returning id`,
  )
  return row?.id ?? ''
}

test('"Ramadan begins on Thursday": dates, Ramadan, Isha and the evening follow within seconds', async () => {
  const masjid = await newMasjid()
  assert.equal((await dayOf(masjid, '2026-02-18')).hijri, '1447-9-1')
  await announce({ masjid, month: [1447, 9], on: '2026-02-19' })
  await becomes(masjid, '2026-02-19', '1447-9-1')
  const [eve, first] = [await dayOf(masjid, '2026-02-18'), await dayOf(masjid, '2026-02-19')]
  assert.deepEqual([eve.hijri, eve.is_ramadan, eve.isha_after, eve.evening], ['1447-8-30', false, 120, '1447-9-1'])
  assert.deepEqual([first.is_ramadan, first.isha_after, first.evening], [true, 120, '1447-9-2'])
})

test('"Eid is on Saturday": iqamah rules of the season, Taraweeh, Eid and events after them follow', async () => {
  const masjid = await newMasjid()
  await insertRule(database, masjid, { prayer: 'isha', rule: 'offset', offset_minutes: 20 })
  await insertRule(database, masjid, { prayer: 'isha', rule: 'offset', offset_minutes: 5, season: 'ramadan' })
  await insertRule(database, masjid, { prayer: 'taraweeh', rule: 'offset', offset_minutes: 30, season: 'ramadan' })
  await insertRule(database, masjid, { prayer: 'eid_fitr', rule: 'offset', offset_minutes: 40 })
  const event = await insertEvent(database, masjid, {
    title: 'Talk after Isha',
    starts_local: '2026-02-11 20:00',
    timezone: 'Asia/Riyadh',
    rrule: 'FREQ=DAILY',
    anchor_prayer: 'isha',
    anchor_offset: 10,
  })
  const talkAfterMaghrib = async (date: string): Promise<number | undefined> =>
    (
      await database.first<{ minutes: number }>(sql`
        select (extract(epoch from occurrence.starts_at - day.maghrib) / 60)::int as minutes
        from up_event_occurrences occurrence
        join pc_calculated_times day on day.masjid_id = occurrence.masjid_id and day.date = ${date}
        where occurrence.event_id = ${event} and occurrence.starts_local::date = ${date} and occurrence.deleted_at is null`)
    )?.minutes
  await job.settled()
  assert.equal(await talkAfterMaghrib('2026-02-18'), 120 + 5 + 10)
  await announce({ masjid, month: [1447, 9], on: '2026-02-19' })
  await announce({ masjid, month: [1447, 10], on: '2026-03-21' })
  await becomes(masjid, '2026-03-21', '1447-10-1')
  await until(async () => (await talkAfterMaghrib('2026-02-17')) === 90 + 20 + 10)
  await until(async () => (await talkAfterMaghrib('2026-03-19')) === 120 + 5 + 10)

  const prayersOn = async (date: string): Promise<string[]> =>
    (await resolvedTimes(database, masjid, date)).map(({ prayer }) => prayer)
  assert.ok((await prayersOn('2026-02-18')).includes('taraweeh'))
  assert.ok(!(await prayersOn('2026-02-17')).includes('taraweeh'))
  assert.ok((await prayersOn('2026-03-19')).includes('taraweeh'))
  assert.ok(!(await prayersOn('2026-03-20')).includes('taraweeh'))
  assert.ok((await prayersOn('2026-03-21')).includes('eid_fitr'))
  const wait = async (date: string): Promise<number> => {
    const isha = (await resolvedTimes(database, masjid, date)).find(({ prayer }) => prayer === 'isha')
    return ((isha?.iqamah_at?.getTime() ?? 0) - (isha?.adhan_at?.getTime() ?? 0)) / 60_000
  }
  assert.deepEqual(
    await Promise.all(['2026-02-17', '2026-02-18', '2026-03-19', '2026-03-20'].map(wait)),
    [20, 5, 5, 20],
  )
})

test('from Maghrib on, a prayer belongs to the next hijri day; the date of the day itself stays', async () => {
  const masjid = await newMasjid()
  const rows = await database.query<{ prayer: string; day: string; own: string }>(sql`
    select prayer, concat_ws('-', hijri_year, hijri_month, hijri_day) as day,
      concat_ws('-', prayer_hijri_year, prayer_hijri_month, prayer_hijri_day) as own
    from pc_prayer_times where masjid_id = ${masjid} and date = '2026-02-17' order by prayer`)
  assert.deepEqual(
    rows.map(({ prayer, day, own }) => [prayer, day, own]),
    [
      ['fajr', '1447-8-29', '1447-8-29'],
      ['dhuhr', '1447-8-29', '1447-8-29'],
      ['asr', '1447-8-29', '1447-8-29'],
      ['maghrib', '1447-8-29', '1447-9-1'],
      ['isha', '1447-8-29', '1447-9-1'],
    ],
  )
})

test('announced again with another day, it is corrected; withdrawn, the calculated month applies again', async () => {
  const masjid = await newMasjid()
  await announce({ masjid, month: [1447, 9], on: '2026-02-19' })
  await becomes(masjid, '2026-02-19', '1447-9-1')
  await announce({ masjid, month: [1447, 9], on: '2026-02-17' })
  await becomes(masjid, '2026-02-17', '1447-9-1')
  const rows = await database.query(sql`select from pc_hijri_months where masjid_id = ${masjid}`)
  assert.equal(rows.length, 1)
  await database.run(sql`update pc_hijri_months set deleted_at = now() where masjid_id = ${masjid}`)
  await becomes(masjid, '2026-02-18', '1447-9-1')
})

test('an authority’s announcement applies only to masjids that follow it; a masjid’s own takes precedence', async () => {
  const authority = await newAuthority('Tidewater Moon Council')
  const [follower, independent, stranger] = [await newMasjid(), await newMasjid(), await newMasjid()]
  await announce({ masjid: independent, month: [1447, 9], on: '2026-02-17' })
  await database.run(sql`
    update up_masjids set hijri_authority_id = ${authority} where id in (${follower}, ${independent})`)
  await announce({ authority, month: [1447, 9], on: '2026-02-19' })
  await becomes(follower, '2026-02-19', '1447-9-1')
  await becomes(independent, '2026-02-17', '1447-9-1')
  assert.equal((await dayOf(stranger, '2026-02-18')).hijri, '1447-9-1')
  await database.run(sql`update up_masjids set hijri_authority_id = null where id = ${follower}`)
  await becomes(follower, '2026-02-18', '1447-9-1')
})

test('the adjustment moves only the months that were not announced', async () => {
  const masjid = await newMasjid({ ...mecca, hijri_adjustment: -1 })
  assert.equal((await dayOf(masjid, '2026-02-19')).hijri, '1447-9-1')
  await announce({ masjid, month: [1447, 9], on: '2026-02-18' })
  await becomes(masjid, '2026-02-18', '1447-9-1')
  assert.equal((await dayOf(masjid, '2026-03-20')).hijri, '1447-10-1', 'a day behind would make 31 days of Ramadan')
  assert.equal((await dayOf(masjid, '2026-06-17')).hijri, '1448-1-1', 'calculated: 16 June')
})

test('days that an announcement does not move are not rewritten', async () => {
  const masjid = await newMasjid()
  const before = await dayOf(masjid, '2026-05-01')
  await announce({ masjid, month: [1447, 9], on: '2026-02-19' })
  await becomes(masjid, '2026-02-19', '1447-9-1')
  assert.equal((await dayOf(masjid, '2026-05-01')).changed, before.changed)
})

test('impossible announcements are refused: months of 28 or 31 days, a day far from the new moon, no or two announcers', async () => {
  const masjid = await newMasjid()
  const authority = await newAuthority('Highmoor Moon Council')
  await announce({ masjid, month: [1447, 9], on: '2026-02-18' })
  await assert.rejects(announce({ masjid, month: [1447, 10], on: '2026-03-18' }), /29 or 30 days/)
  await assert.rejects(announce({ masjid, month: [1447, 10], on: '2026-03-21' }), /29 or 30 days/)
  await assert.rejects(announce({ masjid, month: [1447, 8], on: '2026-01-18' }), /29 or 30 days/)
  await assert.rejects(announce({ masjid, month: [1447, 12], on: '2026-05-20' }), /29 or 30 days/)
  await announce({ masjid, month: [1447, 10], on: '2026-03-20' })
  await assert.rejects(announce({ masjid, month: [1447, 9], on: '2026-02-17' }), /29 or 30 days/)
  await assert.rejects(announce({ masjid, month: [1447, 13], on: '2026-06-16' }), /hijri_month_check/)
  await assert.rejects(announce({ masjid, month: [1448, 9], on: '2026-02-18' }), /new_moon_check/)
  await assert.rejects(announce({ month: [1447, 9], on: '2026-02-18' }), /who announces/)
  await assert.rejects(announce({ masjid, authority, month: [1447, 9], on: '2026-02-18' }), /who announces/)
  await assert.rejects(
    database.run(sql`
      insert into pc_hijri_months (masjid_id, authority_id, hijri_year, hijri_month, starts_on)
      values (${masjid}, ${authority}, 1447, 11, '2026-04-18')`),
    /one_announcer_check/,
  )
})

test('two months announced a day off are corrected together', async () => {
  const masjid = await newMasjid()
  await announce({ masjid, month: [1447, 9], on: '2026-02-18' })
  await announce({ masjid, month: [1447, 10], on: '2026-03-20' })
  await database.transaction(async transaction => {
    await transaction.run(sql`set constraints all deferred`)
    for (const month of [9, 10])
      await transaction.run(sql`
        update pc_hijri_months set starts_on = starts_on - 1 where masjid_id = ${masjid} and hijri_month = ${month}`)
  })
  await becomes(masjid, '2026-03-19', '1447-10-1')
})

test('two concurrent announcements of one new month both succeed, and the later one stands', async () => {
  const asMasjid = { masjid: await newMasjid() }
  const asAuthority = { authority: await newAuthority('Fernbrook Moon Council') }
  for (const who of [asMasjid, asAuthority]) {
    let later: Promise<unknown> = Promise.resolve()
    await database.transaction(async transaction => {
      await announce({ ...who, month: [1447, 9], on: '2026-02-18' }, transaction)
      later = announce({ ...who, month: [1447, 9], on: '2026-02-19' })
      later.catch(() => undefined)
      await until(announcementWaits)
    })
    await later
    assert.deepEqual(await announced(who), ['2026-02-19'])
  }
})

test('repeating an announcement, even concurrently, leaves one unchanged row', async () => {
  const masjid = await newMasjid()
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => announce({ masjid, month: [1447, 9], on: '2026-02-19' })),
  )
  assert.equal(new Set(answers.map(rows => JSON.stringify(rows))).size, 1, 'everybody gets the same id')
  assert.deepEqual(await announced({ masjid }), ['2026-02-19'])
  const version = () => database.first(sql`select xmin::text, id from pc_hijri_months where masjid_id = ${masjid}`)
  const before = await version()
  await announce({ masjid, month: [1447, 9], on: '2026-02-19' })
  assert.deepEqual(await version(), before)
})

test('concurrent announcements of several months in opposite order do not deadlock', async () => {
  const masjid = await newMasjid()
  const both = (months: readonly (readonly [month: number, on: string])[]) =>
    database.transaction(async transaction => {
      for (const [month, on] of months) await announce({ masjid, month: [1447, month], on }, transaction)
    })
  const months = [
    [9, '2026-02-18'],
    [10, '2026-03-20'],
  ] as const
  for (let round = 0; round < 5; round += 1) {
    await Promise.all([both(months), both(months.toReversed())])
    await database.run(sql`delete from pc_hijri_months where masjid_id = ${masjid}`)
  }
})

test('one of two concurrent announcements that contradict each other is refused', async () => {
  const masjid = await newMasjid()
  const outcomes = await Promise.allSettled([
    announce({ masjid, month: [1447, 9], on: '2026-02-17' }),
    announce({ masjid, month: [1447, 10], on: '2026-03-21' }),
  ])
  assert.deepEqual(outcomes.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
})

test('the Umm al-Qura calendar itself passes the check against the mean new moon, for a hundred years', async () => {
  const { ummAlQura } = await import('../../src/prayer/calculation/hijri.ts')
  const { dateOf, dayNumberOf } = await import('../../src/base/civil-date.ts')
  const firsts: { year: number; month: number; date: string }[] = []
  for (let day = dayNumberOf('1980-01-01'); day < dayNumberOf('2077-01-01'); day += 1) {
    const { year, month, day: ofMonth } = ummAlQura(day)
    if (ofMonth === 1) firsts.push({ year, month, date: dateOf(day) })
  }
  const row = await database.first<{ most: number }>(sql`
    select max(abs(date - mean_month_start(year, month))) as most
    from jsonb_to_recordset(${JSON.stringify(firsts)}::jsonb) first(year int, month int, date date)`)
  assert.ok((row?.most ?? 9) <= 2, `${row?.most} days apart`)
})

test('the change feed names announced months and their authorities', async () => {
  const masjid = await insertMasjid(database, mecca)
  const rows = await database.query<{ id: string }>(sql`
    with authority as (insert into pc_hijri_authorities (name) values ('A council of the feed') returning id)
    select id from authority union all select announce_hijri_month(1447, 9, '2026-02-18', masjid_id => ${masjid})`)
  const named = await database.query<{ table_name: string }>(sql`
    select table_name from pc_changes where id = any (${rows.map(({ id }) => id)}::uuid[]) order by 1`)
  assert.deepEqual(named, [{ table_name: 'pc_hijri_authorities' }, { table_name: 'pc_hijri_months' }])
})
