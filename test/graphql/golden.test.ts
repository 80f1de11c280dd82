import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { compileFile, type GoldenFolder, testGoldenFiles } from './golden-files.ts'
import { everything, grantWith, useEngine, withoutRows } from './use-engine.ts'

const graphql = useEngine(withoutRows)

const golden: GoldenFolder = {
  folder: new URL('golden/', import.meta.url),
  examples: { city: 'x', id: 'x', slug: 'x' },
  inLines: text => `${text.replaceAll(/ (from|where|order by|group by|having) /g, '\n$1 ')}\n`,
}

describe('statements match the golden files byte for byte', () => {
  testGoldenFiles(golden, () => graphql().engine.structures.current())

  test('a statement for a user contains the predicate of the rows a user sees', () => {
    const user = grantWith([...everything.scopes], { kind: 'user', userId: '00000000-0000-4000-8000-000000000001' })
    const structure = graphql().engine.structures.current()
    assert.match(compileFile(golden, structure, 'people', user), /own_members/)
    assert.doesNotMatch(compileFile(golden, structure, 'people'), /own_members/)
  })
})
