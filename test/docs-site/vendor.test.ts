import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'

const folder = new URL('../../src/site/explorer/vendor/', import.meta.url)

test('the files of GraphiQL and React are exactly those that the script wrote', () => {
  const list = JSON.parse(readFileSync(new URL('vendor.json', folder), 'utf8')) as { file: string; digest: string }[]
  for (const { file, digest } of list) {
    const found = createHash('sha256')
      .update(readFileSync(new URL(file, folder)))
      .digest('base64')
    assert.equal(`sha256-${found}`, digest, file)
  }
  assert.deepEqual(readdirSync(folder).toSorted(), [...list.map(({ file }) => file), 'vendor.json'].toSorted())
})
