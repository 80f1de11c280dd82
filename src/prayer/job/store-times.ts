// Calculated days of some masjids → the statement that stores them: a short transaction that never waits for a lock.

import { dateOf } from '../../base/civil-date.ts'
import { identifier, joinSql, rawSql, type Sql, sql } from '../../db/sql.ts'
import type { DayTimes } from '../calculation/calculate-days.ts'
import { parametersHash } from '../calculation/masjid-parameters.ts'
import type { Goal, StaleMasjid } from './stale-masjids.ts'

export interface CalculatedMasjid {
  readonly masjid: StaleMasjid
  readonly days: readonly DayTimes[]
}

export interface Chunk {
  readonly goal: Goal
  readonly calculated: readonly CalculatedMasjid[]
  /** An id for each new row. */
  readonly nextId: () => string
}

/** A PostgreSQL array literal. Only for numbers, dates, ids and booleans, which need no quotes. */
const literal = (values: readonly (number | string | boolean | null)[]): string =>
  `{${values.map(value => value ?? 'null').join(',')}}`

/** What is stored of a day in minutes, by the names of its columns. */
const sunColumns = {
  fajr: 'fajr',
  sunrise: 'sunrise',
  dhuhr: 'dhuhr',
  asr: 'asr',
  sunset: 'sunset',
  maghrib: 'maghrib',
  isha: 'isha',
  first_third_ends: 'firstThirdEnds',
  midnight: 'midnight',
  midnight_to_sunrise: 'midnightToSunrise',
  last_third: 'lastThird',
} as const satisfies Readonly<Record<string, keyof DayTimes>>

const sunNames = Object.keys(sunColumns).join(', ')

/** Minutes since 1970 are shorter to send and faster to parse than timestamps. */
const minuteArrays = (days: readonly DayTimes[]): Sql[] =>
  Object.values(sunColumns).map(column => sql`${literal(days.map(day => day[column]))}::int[]`)

const dayArrays = ({ calculated, nextId }: Chunk): Sql => {
  const days = calculated.flatMap(one => one.days)
  return sql`
    ${literal(days.map(nextId))}::uuid[],
    ${literal(calculated.flatMap(({ masjid, days }) => days.map(() => masjid.id)))}::uuid[],
    ${literal(days.map(({ day }) => dateOf(day)))}::date[],
    ${joinSql(minuteArrays(days))},
    ${literal(days.map(({ hijri }) => hijri.year))}::smallint[],
    ${literal(days.map(({ hijri }) => hijri.month))}::smallint[],
    ${literal(days.map(({ hijri }) => hijri.day))}::smallint[],
    ${literal(days.map(({ eveningHijri }) => eveningHijri.year))}::smallint[],
    ${literal(days.map(({ eveningHijri }) => eveningHijri.month))}::smallint[],
    ${literal(days.map(({ eveningHijri }) => eveningHijri.day))}::smallint[],
    ${literal(days.map(({ isTaraweeh }) => isTaraweeh))}::boolean[]`
}

/** Times count as changed only once all of them are stored. */
const reached = ({ reach, last }: Goal): Sql =>
  reach === 'nearest'
    ? sql`near_revision = state.revision, near_until = ${dateOf(last)}::date`
    : sql`filled_revision = state.revision, filled_until = ${dateOf(last)}::date, changed_at = now()`

/** Masjids that changed since they were read, or are being changed now, are skipped: they stay due. */
const claim = (masjids: readonly StaleMasjid[], goal: Goal): Sql => sql`
  claimed as materialized (
    select state.masjid_id, given.parameters_hash from ${identifier(goal.schema, 'calculation_states')} state
    join unnest(
      ${literal(masjids.map(({ id }) => id))}::uuid[],
      ${literal(masjids.map(({ revision }) => revision))}::int[],
      ${literal(masjids.map(parametersHash))}::text[]
    ) given(masjid_id, revision, parameters_hash)
      on given.masjid_id = state.masjid_id and given.revision = state.revision
    for update of state skip locked
  ),
  marked as (
    update ${identifier(goal.schema, 'calculation_states')} state
    set ${reached(goal)}, engine_version = ${goal.engine}
    from claimed where claimed.masjid_id = state.masjid_id
    returning state.masjid_id
  )`

const instants = rawSql(
  Object.keys(sunColumns)
    .map(name => `to_timestamp(60 * ${name}::float8)`)
    .join(', '),
)

const columnNames = `${sunNames}, hijri_year, hijri_month, hijri_day, evening_hijri_year, evening_hijri_month,
  evening_hijri_day, is_ramadan, is_taraweeh, parameters_hash, engine_version`

const columnsOf = (row: string): Sql => rawSql(columnNames.replaceAll(/\w+/g, name => `${row}.${name}`))

const columns = rawSql(columnNames)
const excluded = columnsOf('excluded')
const stored = columnsOf('stored')

/** An unchanged day is not written. */
const overwrite = sql`on conflict (masjid_id, date) do update set (${columns}) = (${excluded})
  where (${stored}) is distinct from (${excluded})`

/** Both statements return the masjids that were written. */
export interface Written {
  readonly masjid_id: string
}

/** Looking for a row to overwrite costs a third more, and a masjid that was never calculated has none. */
const onConflict = (calculated: readonly CalculatedMasjid[]): Sql =>
  calculated.every(({ masjid }) => masjid.isNew) ? sql`` : overwrite

export const storeTimes = (chunk: Chunk): Sql => {
  const { goal, calculated } = chunk
  const masjids = calculated.map(({ masjid }) => masjid)
  return sql`
    with ${claim(masjids, goal)},
    written as (
      insert into ${identifier(goal.schema, 'pc_calculated_times')} as stored (id, masjid_id, date, ${columns})
      select day.id, masjid_id, day.date, ${instants}, hijri_year, hijri_month, hijri_day,
        evening_hijri_year, evening_hijri_month, evening_hijri_day, hijri_month = 9, is_taraweeh,
        claimed.parameters_hash, ${goal.engine}
      from unnest(${dayArrays(chunk)}) day(id, masjid_id, date, ${rawSql(sunNames)}, hijri_year, hijri_month, hijri_day,
        evening_hijri_year, evening_hijri_month, evening_hijri_day, is_taraweeh)
      join claimed using (masjid_id)
      ${onConflict(calculated)}
    )
    select masjid_id from marked`
}

/** A deleted masjid has no times; a restored one gets them again. */
export const removeTimes = (goal: Goal, masjids: readonly StaleMasjid[]): Sql => sql`
  with ${claim(masjids, goal)},
  removed as (
    delete from ${identifier(goal.schema, 'pc_calculated_times')} stored using claimed
    where stored.masjid_id = claimed.masjid_id
  )
  select masjid_id from marked`
