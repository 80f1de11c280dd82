// How often PostgreSQL's own catalogue was written to, by its counters: the whole of it need not be read to learn that nothing changed.
import type { DataSchema } from '../db/data-schema.ts'
import type { Queryable } from '../db/database.ts'
import { sql } from '../db/sql.ts'

/**
 * Undefined if nothing is counted. Statistics are left out, as they change all the time, but for the sizes of the schema's tables as
 * the catalogue is read: in powers of four, without partitions. A session may report its writes a few seconds late.
 */
export const countCatalogueWrites = async (database: Queryable, schema: DataSchema): Promise<string | undefined> => {
  const row = await database.first<{ writes: string | null }>(sql`
    select case when current_setting('track_counts')::boolean then concat(
      sum(pg_stat_get_tuples_inserted(oid) + pg_stat_get_tuples_updated(oid) + pg_stat_get_tuples_deleted(oid))
        filter (where relnamespace = 'pg_catalog'::regnamespace and relname not like 'pg\\_statistic%'), ' ',
      sum(ceil(log(4, greatest(reltuples, 1)::numeric)) * (oid::int8 % 1009))
        filter (where relnamespace = ${schema}::regnamespace and not relispartition)) end as writes
    from pg_class where relkind in ('r', 'p', 'm')`)
  return row?.writes ?? undefined
}

interface SeldomOptions {
  readonly database: Queryable
  readonly schema: DataSchema
  /** Reads the whole catalogue. */
  readonly look: () => Promise<void>
  /** How often to do so regardless: the number of different values in a column changes without being counted. */
  readonly regardlessMs?: number
}

const REGARDLESS_MS = 3_600_000

/** Looks if the catalogue was written to since the last look, and now and then regardless. */
export const lookIfWritten = ({
  database,
  schema,
  look,
  regardlessMs = REGARDLESS_MS,
}: SeldomOptions): (() => Promise<void>) => {
  let known: string | undefined
  let lookedAt = 0
  return async () => {
    const now = performance.now()
    const writes = await countCatalogueWrites(database, schema)
    if (writes !== undefined && writes === known && now - lookedAt < regardlessMs) return
    await look()
    known = writes
    lookedAt = now
  }
}
