import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { test } from 'node:test'

const project = new URL('../../', import.meta.url)
const { rooms } = createRequire(import.meta.url)('../../scripts/rooms.cjs') as { readonly rooms: readonly string[] }

test('every folder of src has its place in the list that imports follow', () => {
  const folders = readdirSync(new URL('src/', project), { withFileTypes: true }).filter(entry => entry.isDirectory())
  assert.deepEqual(folders.map(({ name }) => name).sort(), [...rooms].sort())
})

test('the table of the architecture has them in the same order, from the top', () => {
  const table = readFileSync(new URL('docs/architecture.md', project), 'utf8').matchAll(/^\| .*?`src\/([\w-]+)\/` \|/gm)
  assert.deepEqual(
    [...table].map(([, folder]) => folder),
    rooms.toReversed(),
  )
})
