import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { madeDocuments } from '../../scripts/made-documents.ts'

for (const [path, render] of Object.entries(madeDocuments)) {
  test(`${path} is up to date with the code (npm run docs writes it)`, () => {
    assert.equal(readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8'), render())
  })
}
