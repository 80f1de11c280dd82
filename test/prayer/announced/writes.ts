// Random changes of what prayer times are made of, as SQL for two masjids.
import fc from 'fast-check'
import type { Queryable } from '../../../src/db/database.ts'
import { rawSql } from '../../../src/db/sql.ts'

const day = fc.integer({ min: 0, max: 32 }).map(days => `date '2026-02-10' + ${days}`)
const prayer = fc.constantFrom('fajr', 'dhuhr', 'asr', 'asr', 'maghrib', 'isha', 'jumuah', 'taraweeh', 'eid_fitr')
const clock = fc.integer({ min: 0, max: 95 }).map(quarters => `time '00:00' + interval '${quarters * 15} minutes'`)
const number = fc.integer({ min: 0, max: 5 })
const nth = (table: string, place: number): string =>
  `id = (select id from ${table} where masjid_id = $masjid order by id offset ${place} limit 1)`
const source = (place: number): string =>
  `(select id from pc_prayer_sources where masjid_id = $masjid order by id offset ${place} limit 1)`

const newRule = fc
  .tuple(
    prayer,
    fc.constantFrom('all_year', 'ramadan', 'outside_ramadan', 'daylight_time', 'standard_time'),
    fc.constantFrom('null', `'{5}'`, `'{1,2,3}'`),
    fc.constantFrom('(,)', '[2026-02-20,2026-03-10)', '[2026-03-01,)'),
    fc.constantFrom(`'offset', null, 12, null`, `'rounded_offset', null, 5, 15`, `'fixed', time '13:30', null, null`),
    fc.constantFrom('null', '1', '5'),
    number,
  )
  .map(
    ([of, season, weekdays, valid, rule, changesOn, place]) => `
    insert into pc_iqamah_schedules (masjid_id, prayer, season, weekdays, valid, rule, fixed_time, offset_minutes, round_to, changes_on,
      priority, session, source_id)
    values ($masjid, '${of}', '${season}', ${weekdays}, '${valid}', ${rule}, ${rule.startsWith("'fixed") ? 'null' : changesOn}, ${place},
      ${1 + (place % 2)}, ${place < 2 ? source(place) : 'null'})
    on conflict do nothing`,
  )

const onRules = fc
  .tuple(number, prayer, day)
  .chain(([place, of, from]) =>
    fc.constantFrom(
      `update pc_iqamah_schedules set offset_minutes = offset_minutes + 7 where ${nth('pc_iqamah_schedules', place)}`,
      `update pc_iqamah_schedules set is_cancelled = not is_cancelled where ${nth('pc_iqamah_schedules', place)}`,
      `update pc_iqamah_schedules set valid = daterange(${from}, null) where ${nth('pc_iqamah_schedules', place)}`,
      `update pc_iqamah_schedules set prayer = '${of}' where ${nth('pc_iqamah_schedules', place)}`,
      `update pc_iqamah_schedules set masjid_id = $other where ${nth('pc_iqamah_schedules', place)} and source_id is null`,
      `update pc_iqamah_schedules set deleted_at = case when deleted_at is null then now() end where ${nth('pc_iqamah_schedules', place)}`,
      `update pc_iqamah_schedules set layer = nextval('timetable_layers') where ${nth('pc_iqamah_schedules', place)}`,
      `delete from pc_iqamah_schedules where ${nth('pc_iqamah_schedules', place)}`,
    ),
  )

const newTimetable = fc
  .tuple(day, fc.integer({ min: 1, max: 14 }), fc.constantFrom('fajr', 'asr', 'asr', 'isha', 'maghrib'), clock, number)
  .map(
    ([from, days, of, at, place]) => `
    with timetable as (
      insert into pc_timetables (masjid_id, name, first_date, last_date, entry_count)
      values ($masjid, 'Days', ${from}, ${from} + ${days}, 1) returning id)
    insert into pc_timetable_days (masjid_id, timetable_id, source_id, date, prayer, session, adhan, iqamah)
    select $masjid, id, ${place < 2 ? source(place) : 'null'}, ${from} + n, '${of}', ${1 + (place % 2)},
      ${place % 3 === 0 ? at : 'null'}, ${at}
    from timetable, generate_series(0, ${days}) n;
    select settle_timetable_days($masjid, '-infinity', 'infinity')`,
  )

const onTimetables = fc
  .tuple(number, day)
  .chain(([place, from]) =>
    fc.constantFrom(
      `select undo_timetable(id) from pc_timetables where ${nth('pc_timetables', place)} and state <> 'undone'`,
      `delete from pc_timetables where ${nth('pc_timetables', place)}`,
      `update pc_timetables set layer = nextval('timetable_layers') where ${nth('pc_timetables', place)}`,
      `update pc_timetable_days set iqamah = time '20:20' where masjid_id = $masjid and date > ${from}`,
      `delete from pc_timetable_days where masjid_id = $masjid and date = ${from}`,
    ),
  )

const onSources = number.chain(place =>
  fc.constantFrom(
    `update pc_prayer_sources set priority = 30 - priority where id = ${source(place % 2)}`,
    `update pc_prayer_sources set deleted_at = case when deleted_at is null then now() end where id = ${source(place % 2)}`,
    `update pc_prayer_sources set kind = case kind when 'manual' then 'uploaded'::pc_source_kind else 'manual' end where id = ${source(place % 2)}`,
    `update pc_prayer_sources set confidence = 0.5, last_success_at = now() where id = ${source(place % 2)}`,
  ),
)

const onMasjids = fc.constantFrom(
  `update up_masjids set timezone = 'Europe/Berlin' where id = $masjid`,
  `update up_masjids set timezone = 'America/New_York' where id = $masjid`,
  `update up_masjids set deleted_at = case when deleted_at is null then now() end where id = $masjid`,
  `update up_masjids set name = name || '.' where id = $masjid`,
)

/** What the job does, and what is left to it. */
const onDays = fc.tuple(day, number).chain(([from, days]) =>
  fc.constantFrom(
    `update pc_calculated_times set dhuhr = dhuhr + interval '1 minute', asr = asr + interval '1 minute'
       where masjid_id = $masjid and date between ${from} and ${from} + ${days}`,
    `update pc_calculated_times set is_ramadan = hijri_month = 9, hijri_day = 30 - hijri_day % 29 where masjid_id = $masjid and date = ${from}`,
    `delete from pc_calculated_times where masjid_id = $masjid and date < date '2026-02-10' + ${days}`,
    `insert into pc_calculated_times (masjid_id, date, fajr, sunrise, dhuhr, asr, maghrib, isha, hijri_year, hijri_month, hijri_day,
         is_ramadan, parameters_hash, engine_version)
       select $masjid, ${from}, at + interval '5 h', at + interval '7 h', at + interval '12 h', at + interval '15 h', at + interval '18 h',
         at + interval '20 h', 1447, 10, 1, false, '', '' from (select (${from})::timestamptz as at) moment on conflict do nothing`,
    `update zone_offsets set clock.seconds = array(select one + 3600 from unnest((zone_offsets.clock).seconds) one)
       where zone = 'Africa/Casablanca'`,
    'truncate pc_timetable_days',
  ),
)

const write = fc.oneof(
  { weight: 3, arbitrary: newRule },
  { weight: 4, arbitrary: onRules },
  { weight: 2, arbitrary: newTimetable },
  { weight: 2, arbitrary: onTimetables },
  onSources,
  onMasjids,
  onDays,
)
export const writes = fc.array(fc.tuple(write, fc.boolean()), { minLength: 1, maxLength: 4 })

export const leavesToTheJob = /(update|into|from|truncate) (pc_calculated_times|zone_offsets|pc_timetable_days$)/

/** Refused where a rule of the database says so, or locked by another transaction that does not end meanwhile: then nothing changed. */
export const attempt = async (
  transaction: Queryable,
  masjids: readonly string[],
  [statement, swapped]: readonly [string, boolean],
): Promise<void> => {
  const [masjid = '', other = ''] = swapped ? masjids.toReversed() : masjids
  const text = statement.replaceAll('$masjid', `'${masjid}'`).replaceAll('$other', `'${other}'`)
  await transaction.run(rawSql('savepoint attempt'))
  for (const part of text.split(';\n'))
    try {
      await transaction.run(rawSql(part))
    } catch (error) {
      if (!/^(23|MN|55P03)/.test((error as { code?: string }).code ?? '')) throw error
      await transaction.run(rawSql('rollback to savepoint attempt'))
      return
    }
}
