// PostgreSQL's own catalogue → a mark that is another one after every change: the whole of it need not be read to learn that nothing
// changed.
import type { DataSchema } from '../db/data-schema.ts'
import type { Queryable } from '../db/database.ts'
import { readerGroups, writerGroups } from '../db/roles.ts'
import { prepared, rawSql, type Sql, sql } from '../db/sql.ts'

/** PostgreSQL's own objects have smaller numbers, and never change. */
const FIRST_OWN_OID = 16_384

/** Where the structure is written down, and which rows of it matter: with a number from the first of ours on. */
const places = {
  pg_amop: 'oid',
  pg_attrdef: 'oid',
  pg_attribute: 'attnum > 0 and attrelid',
  pg_cast: 'oid',
  pg_class: 'oid',
  pg_collation: 'oid',
  pg_constraint: 'oid',
  // Other dependencies are never written without the object itself.
  pg_depend: `deptype = 'e' and objid`,
  pg_description: 'objoid',
  pg_enum: 'oid',
  // Without them, changes are not logged.
  pg_event_trigger: 'oid',
  pg_index: 'indexrelid',
  pg_inherits: 'inhrelid',
  pg_opclass: 'oid',
  pg_operator: 'oid',
  pg_policy: 'oid',
  pg_proc: 'oid',
  pg_rewrite: 'oid',
  pg_trigger: 'not tgisinternal and oid',
  pg_type: 'oid',
} as const

/** What they belong to decides about policies and rights. Not who belongs to them: every service of the cluster has a login. */
const groups = [readerGroups, writerGroups]
  .flatMap(kind => Object.values(kind))
  .map(group => `to_regrole('${group}')`)
  .join()

/** Whoever writes a row marks it with a number that no earlier row has. */
const marks: Sql = rawSql(
  [
    ...Object.entries(places).map(
      ([table, rows]) => `select xmin from pg_catalog.${table} where ${rows} >= ${FIRST_OWN_OID}`,
    ),
    // One of them is PostgreSQL's own.
    'select xmin from pg_catalog.pg_namespace',
    `select xmin from pg_catalog.pg_auth_members where member in (${groups})`,
  ].join(' union all '),
)

/**
 * Statistics are left out, as they change all the time, but for the sizes of tables as the catalogue is read: in
 * powers of four, without partitions.
 */
const sizesIn = (schema: DataSchema): Sql => sql`
  select sum(ceil(log(4, greatest(reltuples, 1)::numeric)) * (oid::int8 % 1009))
  from pg_class where relnamespace = ${schema}::regnamespace and not relispartition and relkind in ('r', 'p', 'm')`

export const readCatalogueMark = async (database: Queryable, schema: DataSchema): Promise<string> => {
  const row = await database.first<{ mark: string }>(
    prepared(
      'catalogue_mark',
      sql`
        select concat_ws(' ', current_setting('server_version_num'), sum(rows), sum(hashint8extended(writer::text::int8, rows)), (${sizesIn(schema)})) as mark
        from (select writer, count(*) as rows from (${marks}) written (writer) group by writer) by_writer`,
    ),
  )
  return row?.mark ?? ''
}

interface LookOptions {
  readonly database: Queryable
  readonly schema: DataSchema
  /** Reads the whole catalogue. With a mark, a copy that another process kept with it will do. */
  readonly look: (mark?: string) => Promise<void>
  /** How often to do so regardless: the number of different values in a column changes without a mark. */
  readonly regardlessMs?: number
}

const REGARDLESS_MS = 3_600_000

/** Looks if the catalogue was written to since the last look, and now and then regardless. */
export const lookIfWritten = ({
  database,
  schema,
  look,
  regardlessMs = REGARDLESS_MS,
}: LookOptions): (() => Promise<void>) => {
  let known: string | undefined
  let lookedAt = 0
  return async () => {
    const now = performance.now()
    const mark = await readCatalogueMark(database, schema)
    if (mark === known && now - lookedAt < regardlessMs) return
    await look(mark === known ? undefined : mark)
    known = mark
    lookedAt = now
  }
}
