// What the calculation reads of a masjid: columns of its row, and the months that its authority and itself announced.
import { type DayNumber, dateOf } from '../../base/civil-date.ts'
import type { DataSchema } from '../../db/data-schema.ts'
import { identifier, type Sql, sql } from '../../db/sql.ts'
import type { MasjidParameters } from './masjid-parameters.ts'

/** Both included. */
export interface CalculatedDays {
  readonly schema: DataSchema
  readonly first: DayNumber
  readonly last: DayNumber
}

type MonthRow = readonly [month: number, startsOn: DayNumber]

/** A masjid as these columns have it. */
export interface ParameterRow extends Omit<MasjidParameters, 'announced'> {
  readonly months_of_authority: readonly MonthRow[]
  readonly months_of_masjid: readonly MonthRow[]
}

/** Announced months outside the range still affect those inside. */
const MONTHS_AROUND = 200

const monthsWhere = ({ schema, first, last }: CalculatedDays, condition: Sql): Sql => sql`(
  select coalesce(json_agg(json_build_array(
    month.hijri_year * 12 + month.hijri_month - 1, month.starts_on - date '1970-01-01')), '[]')
  from ${identifier(schema, 'pc_hijri_months')} month
  where ${condition} and month.deleted_at is null and month.starts_on
    between ${dateOf(first - MONTHS_AROUND)}::date and ${dateOf(last + MONTHS_AROUND)}::date)`

/** Of a row named `masjid`. */
export const parameterColumns = (days: CalculatedDays): Sql => sql`
  masjid.latitude, masjid.longitude, masjid.timezone, masjid.calculation_method, masjid.madhab,
  masjid.high_latitude_rule, masjid.adjustments, masjid.hijri_adjustment, masjid.fajr_angle, masjid.isha_angle,
  masjid.isha_minutes, masjid.maghrib_angle,
  ${monthsWhere(days, sql`month.authority_id = masjid.hijri_authority_id`)} as months_of_authority,
  ${monthsWhere(days, sql`month.masjid_id = masjid.id`)} as months_of_masjid`

export const announcedIn = (row: ParameterRow): MasjidParameters['announced'] => ({
  byAuthority: new Map(row.months_of_authority),
  byMasjid: new Map(row.months_of_masjid),
})
