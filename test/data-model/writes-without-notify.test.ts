// No write to the data may end in NOTIFY, which makes every commit wait for every other (see watch-changes.ts).
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../src/db/sql.ts'
import { useDatabase } from '../support/open-database.ts'

const database = useDatabase()

interface Routine {
  readonly schema: string
  readonly name: string
  readonly source: string
}

interface Trigger {
  readonly table: string
  readonly schema: string
  readonly routine: string
}

const routines = (): Promise<Routine[]> =>
  database().query<Routine>(sql`
    select namespace.nspname as schema, proname as name, coalesce(pg_get_function_sqlbody(routine.oid), prosrc) as source
    from pg_proc routine join pg_namespace namespace on namespace.oid = pronamespace
    where namespace.nspname in ('public', 'sandbox', 'minaret') and prokind in ('f', 'p')`)

const triggers = (): Promise<Trigger[]> =>
  database().query<Trigger>(sql`
    select relname as table, namespace.nspname as schema, proname as routine
    from pg_trigger join pg_class class on class.oid = tgrelid join pg_namespace namespace on namespace.oid = relnamespace
    join pg_proc routine on routine.oid = tgfoid
    where namespace.nspname in ('public', 'sandbox', 'minaret') and not tgisinternal`)

/** Every word, and `table:…` for each table that is written. */
const words = (source: string): Set<string> => {
  const text = source.toLowerCase()
  const written = text.matchAll(/\b(?:insert into|update|delete from|merge into)\s+(?:only\s+)?(?:\w+\.)?(\w+)/g)
  return new Set([...(text.match(/[a-z_][a-z0-9_]*/g) ?? []), ...[...written].map(([, table]) => `table:${table}`)])
}

/** What a function may set off: the functions it names, and the triggers of the tables it writes. Rather too many than too few. */
const reachable = (start: string, sources: Map<string, Set<string>>, onTable: Map<string, string[]>): Set<string> => {
  const reached = new Set<string>()
  const open = [start]
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (reached.has(name)) continue
    reached.add(name)
    for (const word of sources.get(name) ?? [])
      open.push(...(sources.has(word) ? [word] : []), ...(onTable.get(word) ?? []))
  }
  return reached
}

const notifies = (source: Set<string> | undefined): boolean =>
  source !== undefined && (source.has('pg_notify') || source.has('notify'))

test('no trigger of a data table reaches NOTIFY, by whatever functions and tables lie between', async () => {
  const sources = new Map<string, Set<string>>()
  for (const { name, source } of await routines())
    sources.set(name, new Set([...(sources.get(name) ?? []), ...words(source)]))
  const all = await triggers()
  const onTable = new Map<string, string[]>()
  for (const { table, routine } of all)
    onTable.set(`table:${table}`, [...(onTable.get(`table:${table}`) ?? []), routine])
  const reaching = (wanted: (trigger: Trigger) => boolean): string[] =>
    all
      .filter(wanted)
      .filter(({ routine }) => [...reachable(routine, sources, onTable)].some(name => notifies(sources.get(name))))
      .map(({ schema, table, routine }) => `${schema}.${table}: ${routine}`)
  assert.deepEqual(
    reaching(({ schema }) => schema !== 'minaret'),
    [],
  )
  // The search finds those of identity, where a notification is worth its price: revocations, keys, mail, images.
  assert.ok(reaching(({ schema }) => schema === 'minaret').length > 5)
})
