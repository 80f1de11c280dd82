// New and changed masjids → rows of up_masjids and of where they come from, by a statement for each thousand or two.
import type { Queryable } from '../../db/database.ts'
import { identifier, joinSql, sql } from '../../db/sql.ts'
import { createRowIds } from '../../prayer/job/row-ids.ts'
import { columnNames } from '../columns.ts'
import { giveSlugs } from './give-slugs.ts'
import { heldBecause } from './held.ts'
import type { ImportSource } from './import-source.ts'
import type { Masjid } from './prepare-batch.ts'

const names = joinSql(columnNames.map(name => identifier(name)))
const ofGiven = joinSql(columnNames.map(name => identifier('given', name)))
const ofStored = joinSql(columnNames.map(name => identifier('masjid', name)))

/** The written version is 1: nobody else sees the rows before this transaction ends. */
export const insertMasjids = async (
  transaction: Queryable,
  source: ImportSource,
  masjids: readonly Masjid[],
): Promise<number> => {
  if (masjids.length === 0) return 0
  const slugs = await giveSlugs(transaction, source, masjids)
  const nextId = createRowIds()
  const rows = masjids.map(({ values }, index) => ({ ...values, id: nextId(), slug: slugs[index] }))
  const ids = rows.map(({ id }) => id)
  await transaction.run(sql`
    insert into public.up_masjids (id, slug, ${names})
    select id, slug, ${names} from json_populate_recordset(null::public.up_masjids, ${JSON.stringify(rows)}::json)`)
  await transaction.run(sql`
    insert into public.up_masjid_origins (masjid_id, source, source_id, licence, content_hash, written_version)
    select masjid_id, ${source.name}, source_id, ${source.licence}, content_hash, 1
    from unnest(${ids}::uuid[], ${masjids.map(({ sourceId }) => sourceId)}::text[], ${masjids.map(({ hash }) => hash)}::text[])
      given (masjid_id, source_id, content_hash)`)
  await transaction.run(sql`select public.times_on_demand(${ids}::uuid[])`)
  return ids.length
}

/** Whoever edits one, or begins to look after it, waits until the transaction ends. @returns why others are left alone, by id */
export const lockMasjids = async (
  transaction: Queryable,
  masjids: readonly Masjid[],
): Promise<ReadonlyMap<string, string | null>> => {
  if (masjids.length === 0) return new Map()
  const rows = await transaction.query<{ id: string; held: string | null }>(sql`
    select masjid.id, ${heldBecause} as held
    from public.up_masjids masjid join public.up_masjid_origins origin on origin.masjid_id = masjid.id
    where masjid.id = any (${masjids.map(({ masjidId }) => masjidId)}::uuid[])
    order by masjid.id for update of masjid`)
  return new Map(rows.map(({ id, held }) => [id, held]))
}

/** One that an import removed, as its source had it no more, comes back. */
export const updateMasjids = async (
  transaction: Queryable,
  { licence }: ImportSource,
  masjids: readonly Masjid[],
): Promise<number> => {
  if (masjids.length === 0) return 0
  const rows = masjids.map(({ masjidId, values }) => ({ ...values, id: masjidId }))
  await transaction.run(sql`
    update public.up_masjids masjid set (${names}, deleted_at) = row (${ofGiven}, null)
    from json_populate_recordset(null::public.up_masjids, ${JSON.stringify(rows)}::json) given
    where masjid.id = given.id and (${ofStored}, masjid.deleted_at) is distinct from (${ofGiven}, null::timestamptz)`)
  return transaction.run(sql`
    update public.up_masjid_origins origin
    set licence = ${licence}, imported_at = now(), content_hash = given.content_hash, written_version = masjid.version
    from unnest(${masjids.map(({ masjidId }) => masjidId)}::uuid[], ${masjids.map(({ hash }) => hash)}::text[]) given (id, content_hash)
    join public.up_masjids masjid on masjid.id = given.id
    where origin.masjid_id = masjid.id`)
}

/** The licence of a directory may change although its rows do not. */
export const keepLicence = (
  transaction: Queryable,
  { name, licence }: ImportSource,
  sourceIds: readonly string[],
): Promise<number> =>
  transaction.run(sql`
    update public.up_masjid_origins set licence = ${licence}
    where source = ${name} and source_id = any (${sourceIds}::text[]) and licence <> ${licence}`)
