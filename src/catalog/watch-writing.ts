// A model → every table that may be written is noted in the audit trail, as its comments say now.
import type { DataSchema } from '../db/data-schema.ts'
import { type GivingWay, isBusy } from '../db/giving-way.ts'
import { quoteIdentifier, sql } from '../db/sql.ts'
import type { Corrections, Refusal } from './apply-grants.ts'
import type { Model, Table } from './model.ts'

/** Two processes that see a new table at once take turns by the table's own lock. */
const watch = (database: GivingWay, relation: string): Promise<void> =>
  database.transaction(async transaction => {
    await transaction.run(sql`select minaret.hold_table(${relation}::regclass)`)
    await transaction.run(sql`select public.watch_writes(${relation}::regclass)`)
  })

/** Takes no locks: this runs at every start, and mostly finds nothing. If it fails, each table is tried, to find out which is refused. */
const unwatched = (database: GivingWay, relations: readonly string[]): Promise<ReadonlySet<string>> =>
  database
    .query<{ name: string }>(
      sql`select name from unnest(${relations}::text[]) name where not public.has_write_notes(name::regclass)`,
    )
    .then(
      rows => new Set(rows.map(({ name }) => name)),
      () => new Set(relations),
    )

/** Nothing that is written in the sandbox is kept, so nothing of it is noted. */
const isWatched = (schema: DataSchema): boolean => schema === 'public'

/** Tables that could not be watched, for instance because another role owns them, must not be written. */
export const watchWriting = async (
  database: GivingWay,
  { schema, tables }: Model,
  onRefused: (refusal: Refusal) => void,
): Promise<Corrections> => {
  const refused = new Set<string>()
  let busy = false
  if (!isWatched(schema)) return { refused, busy }
  const relationOf = ({ relation }: Table): string => `${quoteIdentifier(schema)}.${quoteIdentifier(relation)}`
  const writable = [...tables.values()].filter(({ writing }) => writing !== undefined)
  const needed = await unwatched(database, writable.map(relationOf))
  for (const table of writable.filter(one => needed.has(relationOf(one)))) {
    const relation = relationOf(table)
    await watch(database, relation).catch(err => {
      if (isBusy(err)) busy = true
      else onRefused({ err, statement: `watch_writes ${relation}` })
      refused.add(table.name)
    })
  }
  return { refused, busy }
}
