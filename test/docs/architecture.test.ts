// docs/architecture.md against the code: the folders of src, and the settings by which the database knows who asks.
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

test('the architecture names the settings of a session that the code sends', () => {
  const [, paragraph = ''] =
    /\n## The database\n(.*?)\n\*\*/s.exec(readFileSync(new URL('docs/architecture.md', project), 'utf8')) ?? []
  const namesIn = (text: string, quote: string): string[] =>
    [...text.matchAll(new RegExp(`${quote}(minaret\\.[a-z_]+)${quote}`, 'g'))].map(([, name = '']) => name).sort()
  const code = ['src/graphql/row-settings.ts', 'src/graphql/write/transaction.ts'].map(path =>
    readFileSync(new URL(path, project), 'utf8'),
  )
  assert.deepEqual(namesIn(paragraph, '`'), namesIn(code.join('\n'), "'"))
})
