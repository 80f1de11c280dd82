// The oldest supported PostgreSQL: migrations and the GraphQL engine, with the same tests as on the newest.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { noPostgresql15, programVersion15, startCluster15 } from '../support/cluster-15.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** Tests that depend on the server's features: types, JSON as text, plans, policies, roles, triggers. */
const files = [
  ...[
    'contract',
    'corners',
    'hasura-semantics',
    'json-text',
    'keys-and-functions',
    'lists',
    'live',
    'mutation-schema',
    'order',
  ],
  ...['row-visibility', 'totals', 'unusual-columns', 'variables', 'where', 'property/random-queries'],
  ...['nested', 'once', 'rules', 'update', 'versions'].map(name => `write/${name}`),
].map(name => `test/graphql/${name}.test.ts`)
const migrations = ['concurrent', 'filled-column']
  .map(name => `test/migrations/${name}.test.ts`)
  .concat('test/audit/logs-by-month.test.ts')
const catalogue = ['build-writing', 'grant-writing', 'watch-structure'].map(name => `src/catalog/${name}.test.ts`)

interface Run {
  readonly status: number
  readonly output: string
}

const runOn = (connection: unknown): Promise<Run> => {
  // The inner test runner must not attach itself to this one.
  const { NODE_TEST_CONTEXT: _, ...outer } = process.env
  const environment = {
    ...outer,
    MINARET_TEST_CLUSTER: JSON.stringify(connection),
    // This run goes on beside it.
    MINARET_TEST_LANES: '1',
    PROPERTY_EFFORT: '0.2',
  }
  const words = ['scripts/run-tests.ts', ...migrations, ...catalogue, ...files]
  const options = { cwd: root, env: environment, maxBuffer: 64 * 1024 * 1024 }
  return new Promise(resolve => {
    execFile(process.execPath, words, options, (error, stdout, stderr) =>
      resolve({ status: error === null ? 0 : 1, output: stdout + stderr }),
    )
  })
}

/** It takes minutes, and several times as long beside the rest of a run. */
const timeout = 3_600_000

test('migrations and GraphQL pass on PostgreSQL 15', { skip: noPostgresql15, timeout }, async t => {
  const cluster = await startCluster15()
  try {
    const { status, output } = await runOn(cluster.connection)
    assert.equal(status, 0, output)
    const passed = Number(/ℹ pass (\d+)/.exec(output)?.[1])
    assert.ok(passed > 100, output)
    t.diagnostic(`${passed} tests passed on ${programVersion15()}`)
  } finally {
    await cluster.stop()
  }
})
