import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { SourceMap, type SourceMapPayload } from 'node:module'
import { test } from 'node:test'
import { transformSync } from 'esbuild'
import { placesInSources } from './source-map.ts'

test('every place of a bundled file has the place in its source that Node finds too', () => {
  const { code, map } = transformSync(readFileSync(new URL('./source-map.ts', import.meta.url), 'utf8'), {
    loader: 'ts',
    sourcemap: 'external',
    sourcefile: 'source-map.ts',
    minify: true,
    lineLimit: 80,
  })
  const payload = JSON.parse(map) as SourceMapPayload
  const reference = new SourceMap(payload)
  const places = code
    .split('\n')
    .flatMap((text, line) => Array.from(text, (_, column) => ({ line: line + 1, column: column + 1 })))
  const found = placesInSources(payload, places)
  assert.ok(places.length > 500)
  const wrong = places.filter(({ line, column }, index) => {
    const entry = reference.findEntry(line - 1, column - 1)
    const mine = found[index]
    return 'originalLine' in entry && entry.generatedLine === line - 1
      ? entry.originalLine !== (mine?.line ?? 0) - 1 || entry.originalColumn !== (mine?.column ?? 0) - 1
      : mine !== undefined
  })
  assert.deepEqual(wrong, [])
})

test('what comes before the first mapping of a line has no source', () => {
  // The second line maps its fifth column to the third line of the source.
  const map = { sources: ['a.ts'], mappings: ';IAEA' }
  assert.deepEqual(
    placesInSources(map, [
      { line: 1, column: 9 },
      { line: 2, column: 4 },
      { line: 2, column: 6 },
    ]),
    [undefined, undefined, { source: 'a.ts', line: 3, column: 1 }],
  )
})
