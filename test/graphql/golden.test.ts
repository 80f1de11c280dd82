import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import { describe, test } from 'node:test'
import { chooseOperation, prepareDocument } from '../../src/graphql/document.ts'
import { planFor } from '../../src/graphql/plan-for.ts'
import { readVariables } from '../../src/graphql/read-variables.ts'
import { createStructure, type Structure } from '../../src/graphql/structure.ts'
import { everything, grantWith, useEngine } from './use-engine.ts'

const graphql = useEngine(async () => undefined)
const folder = new URL('golden/', import.meta.url)

/** One line per clause, so that diffs are readable. */
const inLines = (text: string): string => `${text.replaceAll(/ (from|where|order by|group by|having) /g, '\n$1 ')}\n`

const compile = (structure: Structure, name: string, grant = everything): string => {
  const text = readFileSync(new URL(`${name}.graphql`, folder), 'utf8')
  const given = new URL(`${name}.json`, folder)
  const document = prepareDocument(text, structure.schema)
  const operation = chooseOperation(document, undefined)
  const examples = { city: 'x', id: 'x', slug: 'x' }
  const variables = existsSync(given) ? JSON.parse(readFileSync(given, 'utf8')) : examples
  const read = readVariables(structure.schema, operation, variables)
  return planFor(structure, { text, document, operation, variables: read }, grant).statement.text
}

describe('statements match the golden files byte for byte', () => {
  for (const file of globSync('*.graphql', { cwd: folder }).sort()) {
    const name = basename(file, '.graphql')
    test(name, () => {
      const { model, version } = graphql().engine.structures.current()
      const text = inLines(compile(createStructure(model, version), name))
      const golden = new URL(`${name}.sql`, folder)
      if (process.env.UPDATE_GOLDEN === '1') writeFileSync(golden, text)
      assert.equal(text, readFileSync(golden, 'utf8'))
      assert.equal(text, inLines(compile(createStructure(model, version), name)), 'the same when compiled again')
    })
  }

  test('a statement for a user contains the predicate of the rows a user sees', () => {
    const user = grantWith([...everything.scopes], { kind: 'user', userId: '00000000-0000-4000-8000-000000000001' })
    const structure = graphql().engine.structures.current()
    assert.match(compile(structure, 'people', user), /own_members/)
    assert.doesNotMatch(compile(structure, 'people'), /own_members/)
  })
})
