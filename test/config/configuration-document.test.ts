import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { configurationDocument } from '../../src/config-document.ts'

test('docs/configuration.md says what the program reads (npm run docs writes it)', () => {
  const written = readFileSync(new URL('../../docs/configuration.md', import.meta.url), 'utf8')
  assert.equal(written, configurationDocument())
})
