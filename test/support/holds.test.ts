import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'

test('what tests make up is the same in every run', () => {
  const root = new URL('../../', import.meta.url)
  const files = globSync('{src,test,demo,bench}/**/*.ts', { cwd: root, exclude: ['**/node_modules'] })
  const own = files.filter(file =>
    /\bfc\s*\.\s*(assert|check|sample)\(/.test(readFileSync(new URL(file, root), 'utf8')),
  )
  assert.deepEqual(own, ['test/support/holds.ts'])
})
