// A model → every table that may be written is noted in the audit trail, as its comments say now.

import { advisoryLocks } from '../db/advisory-locks.ts'
import type { DataSchema } from '../db/data-schema.ts'
import type { Database } from '../db/database.ts'
import { quoteIdentifier, sql } from '../db/sql.ts'
import type { Refusal } from './apply-grants.ts'
import type { Model, Table } from './model.ts'

/** In turn: two processes that see a new table at once would both create its triggers. */
const watch = (database: Database, relations: readonly string[]): Promise<void> =>
  database.transaction(async transaction => {
    await transaction.run(sql`select pg_advisory_xact_lock(${advisoryLocks.writingWatch})`)
    await transaction.run(sql`select public.watch_writes(name::regclass) from unnest(${relations}::text[]) name`)
  })

/** Nothing that is written in the sandbox is kept, so nothing of it is noted. */
const isWatched = (schema: DataSchema): boolean => schema === 'public'

/** Returns the tables that could not be watched, for instance because another role owns them: they must not be written. */
export const watchWriting = async (
  database: Database,
  { schema, tables }: Model,
  onRefused: (refusal: Refusal) => void,
): Promise<Set<string>> => {
  const refused = new Set<string>()
  if (!isWatched(schema)) return refused
  const writable = [...tables.values()].filter(({ writing }) => writing !== undefined)
  const relationOf = ({ relation }: Table): string => `${quoteIdentifier(schema)}.${quoteIdentifier(relation)}`
  // All at once, as a rule: this runs at every start. One by one only to find out which table is refused.
  const remaining = await watch(database, writable.map(relationOf)).then(
    () => [],
    () => writable,
  )
  for (const table of remaining) {
    const relation = relationOf(table)
    await watch(database, [relation]).catch(err => {
      onRefused({ err, statement: `watch_writes ${relation}` })
      refused.add(table.name)
    })
  }
  return refused
}
