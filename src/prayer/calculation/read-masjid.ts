// A masjid's id and some days → what its times are calculated with, as it is now.
import type { Queryable } from '../../db/database.ts'
import { identifier, prepared, type Sql, sql } from '../../db/sql.ts'
import { announcedIn, type CalculatedDays, type ParameterRow, parameterColumns } from './masjid-columns.ts'
import type { MasjidParameters } from './masjid-parameters.ts'

/** One row with one text, or none: for any connection. */
export const masjidQuery = (masjid: string, days: CalculatedDays): Sql =>
  prepared(
    `parameters_of_masjid_${days.schema}`,
    sql`
      select row_to_json(found)::text as text from (
        select ${parameterColumns(days)}
        from ${identifier(days.schema, 'up_masjids')} masjid where masjid.id = ${masjid} and masjid.deleted_at is null
      ) found`,
  )

/** @param text what the query returned */
export const parametersIn = (text: string): MasjidParameters => {
  const row = JSON.parse(text) as ParameterRow
  return { ...row, announced: announcedIn(row) }
}

export const readMasjid = async (
  database: Queryable,
  masjid: string,
  days: CalculatedDays,
): Promise<MasjidParameters | undefined> => {
  const row = await database.first<{ text: string }>(masjidQuery(masjid, days))
  return row === undefined ? undefined : parametersIn(row.text)
}
