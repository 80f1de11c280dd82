import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sharedNumbers } from '../../scripts/migration-numbers.ts'

test('two migrations with the same number are refused', () => {
  assert.deepEqual(sharedNumbers(['0001_users.sql', '0002_apps.sql', '0002_keys.sql']), [
    '0002: 0002_apps.sql, 0002_keys.sql',
  ])
})

test('the pair that is already applied may stay, but a third is refused', () => {
  const pair = ['0017_app_revisions.sql', '0017_app_secret_news.sql']
  assert.deepEqual(sharedNumbers(pair), [])
  assert.equal(sharedNumbers([...pair, '0017_more.sql']).length, 1)
})
