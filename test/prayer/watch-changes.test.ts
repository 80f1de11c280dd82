// Looking for changes costs the same however many masjids and events there are, and however many changed lately.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dataSchemas } from '../../src/db/data-schema.ts'
import { identifier, sql } from '../../src/db/sql.ts'
import { countChanged, watchChanges } from '../../src/prayer/job/watch-changes.ts'
import { useDatabase } from '../support/open-database.ts'

const ROWS = 10_000
const tables = ['calculation_states', 'occurrence_states'] as const

/** Without their masjids and events: only the marks matter here. */
const database = useDatabase(empty =>
  empty.transaction(async transaction => {
    await transaction.run(sql`set local session_replication_role = replica`)
    for (const schema of dataSchemas)
      for (const table of tables)
        await transaction.run(sql`
          insert into ${identifier(schema, table)} select gen_random_uuid(), 1, 1 from generate_series(1, ${ROWS})`)
  }),
)

interface Plan {
  readonly pages: number
  readonly text: string
}

/** As the watcher plans it: without scans of whole tables. */
const explain = (): Promise<Plan> =>
  database().transaction(async transaction => {
    await transaction.run(sql`set local enable_seqscan = off`)
    const [row] = await transaction.query<{
      'QUERY PLAN': [{ Plan: Record<string, number>; 'Execution Time': number }]
    }>(sql`explain (analyze, buffers, format json) ${{ ...countChanged, name: undefined }}`)
    const plan = row?.['QUERY PLAN'][0]
    assert.ok(plan)
    const pages = (plan.Plan['Shared Hit Blocks'] ?? 0) + (plan.Plan['Shared Read Blocks'] ?? 0)
    return { pages, text: JSON.stringify(plan) }
  })

test('a look reads a handful of pages of 40,000 rows', async () => {
  const { pages, text } = await explain()
  assert.ok(pages <= 20, `${pages} pages: ${text}`)
  assert.doesNotMatch(text, /Seq Scan/)
})

test('changes that were dealt with cost the next looks nothing, once vacuum has passed', async () => {
  for (const revision of [2, 3]) {
    await database().run(sql`update occurrence_states set revision = ${revision}, touched_at = clock_timestamp()`)
    await database().run(sql`update occurrence_states set filled_revision = revision`)
  }
  await database().run(sql`vacuum occurrence_states`)
  const { pages, text } = await explain()
  assert.ok(pages <= 20, `${pages} pages: ${text}`)
})

test('vacuum comes after a few thousand changes, not after a fifth of the rows', async () => {
  const rows = await database().query<{ options: string[] }>(sql`
    select reloptions as options from pg_class where relname = any(${[...tables]}) and relkind = 'r'`)
  assert.equal(rows.length, tables.length * dataSchemas.length)
  for (const { options } of rows) {
    assert.ok(options.includes('autovacuum_vacuum_scale_factor=0'), options.join())
    assert.ok(options.includes('vacuum_index_cleanup=on'), options.join())
  }
})

test('a watcher counts what is due up to one more than a few, and keeps the lock only while it looks', async () => {
  const watch = { database: database(), everyMs: 10, isOver: () => true }
  const sleep = () => Promise.reject(new Error('There is nothing to wait for.'))
  assert.equal(await watchChanges({ ...watch, sleep }), 0)
  await database().run(sql`update sandbox.occurrence_states set revision = 2`)
  assert.equal(await watchChanges({ ...watch, sleep }), 21)
  const inner = { ...watch, sleep, isOver: () => false }
  await database().run(sql`update sandbox.occurrence_states set filled_revision = 2`)
  let looks = 0
  const outer = await watchChanges({
    ...watch,
    isOver: () => looks === 2,
    sleep: async () => {
      looks += 1
      assert.equal(await watchChanges(inner), 'taken')
    },
  })
  assert.equal(outer, 0)
})
