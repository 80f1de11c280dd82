// The structure as one process has read it → kept in the database for the processes that start after it.
import type { DataSchema } from '../db/data-schema.ts'
import type { Queryable } from '../db/database.ts'
import { sql } from '../db/sql.ts'
import { CATALOGUE_FORM } from './raw-catalog.ts'
import { asFound, type Found, type Granted } from './structure-state.ts'

/** Another version of the service may read the catalogue in another way. */
const markOf = (mark: string): string => `${CATALOGUE_FORM} ${mark}`

/** The copy that was kept with this mark, which must have been read before the call. */
export const findCopy = async (database: Queryable, schema: DataSchema, mark: string): Promise<Found | undefined> => {
  const row = await database.first<{ catalogue: string; logged: readonly string[] }>(sql`
    select catalogue, logged from minaret.structure_copies
    where data_schema = ${schema} and mark = ${markOf(mark)} and kept_at > now() - interval '1 hour'`)
  return row === undefined ? undefined : asFound(row.catalogue, new Set(row.logged.map(Number)))
}

/** Whoever uses a copy takes it for granted that nothing had to be corrected, and that nothing was refused. */
export const isWorthKeeping = ({ corrected, withheld }: Granted): boolean => !corrected && withheld === ''

/** `mark` must have been read before what was found. */
export const keepCopy = (
  database: Queryable,
  schema: DataSchema,
  mark: string,
  { catalogue, logged }: Found,
): Promise<unknown> =>
  database.run(sql`
    insert into minaret.structure_copies (data_schema, mark, catalogue, logged)
    values (${schema}, ${markOf(mark)}, ${catalogue}, ${[...logged]}::int8[])
    on conflict (data_schema) do update
    set mark = excluded.mark, catalogue = excluded.catalogue, logged = excluded.logged, kept_at = excluded.kept_at`)
