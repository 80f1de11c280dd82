// The directory → which masjids have a page, a file of a sitemap at a time.
import { NIL_UUID } from '../base/uuid.ts'
import type { Queryable } from '../db/database.ts'
import { sql } from '../db/sql.ts'

export interface ListedMasjid {
  readonly slug: string
  readonly updated_at: Date
}

/** What PostgreSQL knows of the directory from its last ANALYZE; of one that was never analysed, nothing. */
export interface KnownIds {
  readonly masjids: number
  /** Ids between which there are about as many masjids each time. */
  readonly bounds: readonly string[]
}

/** https://www.sitemaps.org/protocol.html: at most 50,000 addresses in a file. */
const MOST_IN_FILE = 50_000
/** Ids are known from a sample, and masjids are added until the next one. */
const MEANT_IN_FILE = MOST_IN_FILE / 2

/** The first id of each file but the first. Counting masjids, or skipping those of earlier files, would cost more with each of them. */
export const edgesOf = ({ masjids, bounds }: KnownIds, inFile = MEANT_IN_FILE): string[] => {
  const parts = bounds.length - 1
  const files = Math.min(parts, Math.ceil(masjids / inFile))
  return Array.from({ length: Math.max(0, files - 1) }, (_, at) => bounds[Math.round(((at + 1) * parts) / files)] ?? '')
}

const readKnown = async (database: Queryable): Promise<KnownIds> =>
  (await database.first<KnownIds>(sql`
    select reltuples::float8 as masjids, coalesce((
      select histogram_bounds::text::uuid[] from pg_stats
      where schemaname = 'public' and tablename = 'up_masjids' and attname = 'id'), '{}') as bounds
    from pg_class where oid = 'public.up_masjids'::regclass`)) ?? { masjids: 0, bounds: [] }

export const readEdges = async (database: Queryable, inFile = MEANT_IN_FILE): Promise<string[]> =>
  edgesOf(await readKnown(database), inFile)

/** `file` counts from 1. Undefined: there is no such file. */
export const readFile = async (
  database: Queryable,
  file: number,
  inFile = MEANT_IN_FILE,
): Promise<ListedMasjid[] | undefined> => {
  const edges = await readEdges(database, inFile)
  if (file > edges.length + 1) return undefined
  const until = edges[file - 1]
  return database.query<ListedMasjid>(sql`
    select slug, updated_at from public.up_masjids
    where deleted_at is null and id >= ${edges[file - 2] ?? NIL_UUID}${until === undefined ? sql`` : sql` and id < ${until}`}
    order by id limit ${MOST_IN_FILE}`)
}
