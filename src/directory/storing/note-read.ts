// What an import has read so far, in the database: files are larger than memory. Finds a source_id that is given twice.
import type { Queryable } from '../../db/database.ts'
import { sql } from '../../db/sql.ts'
import type { Masjid } from './prepare-batch.ts'

interface ReadRow {
  readonly sourceId: string
  readonly line: number
}

/** @returns the lines of those that were read before, by the line of the later one */
const findTwice = (rows: readonly ReadRow[], before: ReadonlyMap<string, number>): Map<number, number> => {
  const first = new Map(before)
  const twice = new Map<number, number>()
  for (const { sourceId, line } of rows) {
    const earlier = first.get(sourceId)
    if (earlier === undefined) first.set(sourceId, line)
    else twice.set(line, earlier)
  }
  return twice
}

export const noteRead = async (
  transaction: Queryable,
  rows: readonly ReadRow[],
): Promise<ReadonlyMap<number, number>> => {
  if (rows.length === 0) return new Map()
  const before = await transaction.query<{ source_id: string; line: string }>(sql`
    select source_id, line from public.imported_rows where source_id = any (${rows.map(({ sourceId }) => sourceId)}::text[])`)
  await transaction.run(sql`
    insert into public.imported_rows (source_id, line)
    select * from unnest(${rows.map(({ sourceId }) => sourceId)}::text[], ${rows.map(({ line }) => line)}::bigint[])
    on conflict do nothing`)
  return findTwice(rows, new Map(before.map(row => [row.source_id, Number(row.line)])))
}

/** In a trial, where those after it would find it. */
export const noteTried = (transaction: Queryable, masjids: readonly Masjid[]): Promise<number> =>
  transaction.run(sql`
    update public.imported_rows read
    set point = public.earth_point(given.latitude, given.longitude), name = public.search_text(given.name)
    from json_to_recordset(${JSON.stringify(masjids.map(({ sourceId, values }) => ({ ...values, source_id: sourceId })))}::json)
      as given (source_id text, name text, latitude double precision, longitude double precision)
    where read.source_id = given.source_id`)

export const forgetRead = (database: Queryable): Promise<number> => database.run(sql`truncate public.imported_rows`)
