import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { withPart } from '../../report/part-of-page.ts'
import { COSTS, costTable } from './cost.ts'

test('a table says how many a core does, without pretended digits', () => {
  const table = costTable([{ title: 'a write', serviceMs: 0.2, databaseMs: 0.3456 }])
  assert.match(table, /\| a write +\| +0\.200 \| +0\.346 \| +1,800 \|/)
})

test('the page about capacity has a place for the table, and keeps everything around it', () => {
  const page = readFileSync(new URL('../../../docs/capacity.md', import.meta.url), 'utf8')
  const filled = withPart(page, COSTS, 'FIGURES')
  assert.match(filled, /\nFIGURES\n<!-- end -->/)
  assert.equal(withPart(filled, COSTS, 'OTHER').includes('FIGURES'), false)
  assert.equal(filled.slice(0, 500), page.slice(0, 500))
  assert.equal(filled.slice(-500), page.slice(-500))
  assert.throws(() => withPart('nothing', COSTS, 'x'), /has no/)
})
