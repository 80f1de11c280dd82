// New masjids → their names in addresses, as the reviewers' desk gives them, each only once.
import { createHash } from 'node:crypto'
import { slugsApart } from '../../capabilities/masjid-slug.ts'
import type { Queryable } from '../../db/database.ts'
import { sql } from '../../db/sql.ts'
import type { ImportSource } from './import-source.ts'
import type { Masjid } from './prepare-batch.ts'

/** The same row gets the same one each time. */
const apartOf = ({ name }: ImportSource, { sourceId }: Masjid): string =>
  BigInt(`0x${createHash('sha256').update(`${name}\0${sourceId}`).digest('hex').slice(0, 12)}`)
    .toString(36)
    .padStart(9, '0')

/** Nobody else gives one meanwhile: whoever registers a masjid takes the same lock. */
export const giveSlugs = async (
  transaction: Queryable,
  source: ImportSource,
  masjids: readonly Masjid[],
): Promise<readonly string[]> => {
  if (masjids.length === 0) return []
  const wanted = masjids.map(masjid =>
    slugsApart(String(masjid.values.name), String(masjid.values.city), apartOf(source, masjid)),
  )
  await transaction.run(sql`select pg_advisory_xact_lock(6206173)`)
  const rows = await transaction.query<{ slug: string }>(sql`
    select slug from unnest(${wanted.flat()}::text[]) wanted (slug) join public.up_masjids using (slug)`)
  const taken = new Set(rows.map(({ slug }) => slug))
  return wanted.map(slugs => {
    const slug = slugs.find(each => !taken.has(each)) ?? slugs.at(-1) ?? ''
    taken.add(slug)
    return slug
  })
}
