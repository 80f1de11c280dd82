// Masjids of a directory that its file no longer has → reported, and on request removed, as far as nobody edits or uses them.
import type { Database, Queryable } from '../../db/database.ts'
import { sql } from '../../db/sql.ts'
import { importRefused } from '../reading/raw-row.ts'
import { heldBecause } from './held.ts'
import type { Done, ReportLine } from './import-source.ts'
import type { Storing } from './store-batch.ts'

const PAGE = 1000

interface GoneRow {
  readonly source_id: string
  readonly id: string
  readonly held: string | null
}

const ofSource = (source: string) => sql`
  public.up_masjid_origins origin join public.up_masjids masjid on masjid.id = origin.masjid_id
  where origin.source = ${source} and masjid.deleted_at is null
    and not exists (select from public.imported_rows read where read.source_id = origin.source_id)`

const readPage = (database: Queryable, source: string, after: string): Promise<GoneRow[]> =>
  database.query<GoneRow>(sql`
    select origin.source_id, masjid.id, ${heldBecause} as held from ${ofSource(source)} and origin.source_id > ${after}
    order by origin.source_id limit ${PAGE}`)

/** What the next file has again is written again: the hash is nobody's. */
const remove = (database: Database, ids: readonly string[]): Promise<readonly string[]> =>
  database.transaction(async transaction => {
    await transaction.query(sql`select set_config('minaret.importing', 'yes', true)`)
    const free = await transaction.query<{ id: string }>(sql`
      select masjid.id from public.up_masjids masjid join public.up_masjid_origins origin on origin.masjid_id = masjid.id
      where masjid.id = any (${ids}::uuid[]) and ${heldBecause} is null order by masjid.id for update of masjid`)
    const removed = free.map(({ id }) => id)
    await transaction.run(sql`update public.up_masjids set deleted_at = now() where id = any (${removed}::uuid[])`)
    await transaction.run(sql`
      update public.up_masjid_origins origin set content_hash = '', written_version = masjid.version
      from public.up_masjids masjid where masjid.id = origin.masjid_id and masjid.id = any (${removed}::uuid[])`)
    return removed
  })

const lineOf = ({ source_id, id, held }: GoneRow, removed: ReadonlySet<string>): ReportLine => ({
  happened: removed.has(id) ? 'deleted' : 'gone',
  line: null,
  sourceId: source_id,
  column: '',
  reason: `the file has it no more${held === null ? '' : `; ${held}`}`,
  masjidId: id,
})

/** A file that was cut off by accident must not empty a directory: more than `most`, and none is removed. */
const refuseTooMany = async (database: Queryable, source: string, most: number): Promise<void> => {
  const row = await database.first<{ count: number }>(sql`select count(*)::int as count from ${ofSource(source)}`)
  if ((row?.count ?? 0) > most)
    throw importRefused(
      `The file lacks ${row?.count} masjids of this source, more than the ${most} that may be deleted: none was. Everything else is done.`,
    )
}

export async function* findGone(
  { database, source, isTrial }: Storing,
  deleteMost: number | undefined,
): AsyncGenerator<Done> {
  if (deleteMost !== undefined) await refuseTooMany(database, source.name, deleteMost)
  let after = ''
  for (;;) {
    const rows = await readPage(database, source.name, after)
    if (rows.length === 0) return
    after = rows.at(-1)?.source_id ?? ''
    const free = rows.filter(({ held }) => held === null).map(({ id }) => id)
    const removed = new Set(deleteMost === undefined || isTrial ? [] : await remove(database, free))
    yield { counts: { gone: rows.length, deleted: removed.size }, lines: rows.map(row => lineOf(row, removed)) }
  }
}
