// The directory → which masjids have a page, a file of a sitemap at a time.
import type { Queryable } from '../db/database.ts'
import { sql } from '../db/sql.ts'

export interface ListedMasjid {
  readonly slug: string
  readonly updated_at: Date
}

/** https://www.sitemaps.org/protocol.html: at most 50,000 addresses in a file. */
const MASJIDS_IN_FILE = 50_000

/** How many files there are; at least one. */
export const countFiles = async (database: Queryable, inFile = MASJIDS_IN_FILE): Promise<number> => {
  const row = await database.first<{ masjids: number }>(
    sql`select count(*)::integer as masjids from public.up_masjids where deleted_at is null`,
  )
  return Math.max(1, Math.ceil((row?.masjids ?? 0) / inFile))
}

/** `file` counts from 1. In the order of ids, so that a new masjid moves few others into another file. */
export const readFile = (database: Queryable, file: number, inFile = MASJIDS_IN_FILE): Promise<ListedMasjid[]> =>
  database.query<ListedMasjid>(sql`
    select slug, updated_at from public.up_masjids where deleted_at is null
    order by id limit ${inFile} offset ${(file - 1) * inFile}`)
