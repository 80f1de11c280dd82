import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { apiDocumentOf } from '../../scripts/api-document.ts'
import { useEngine, withoutRows } from './use-engine.ts'

const graphql = useEngine(withoutRows)

test('docs/api.md is up to date with the code and the tables', async () => {
  const made = await apiDocumentOf(graphql().database.connection)
  const kept = readFileSync(new URL('../../docs/api.md', import.meta.url), 'utf8')
  assert.ok(made === kept, 'docs/api.md is stale: run npm run docs')
  for (const table of graphql().engine.structures.current().model.tables.keys())
    assert.ok(kept.includes(`### ${table}`), table)
})
