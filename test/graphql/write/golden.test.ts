import assert from 'node:assert/strict'
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import { describe, test } from 'node:test'
import { chooseOperation, prepareDocument } from '../../../src/graphql/document.ts'
import { planFor } from '../../../src/graphql/plan-for.ts'
import { readVariables } from '../../../src/graphql/read-variables.ts'
import { createStructure, type Structure } from '../../../src/graphql/structure.ts'
import { everything, useEngine } from '../use-engine.ts'
import { createLibrary } from './library.ts'

const graphql = useEngine(createLibrary)
const folder = new URL('golden/', import.meta.url)

/** One line per clause, so that diffs are readable. */
const inLines = (text: string): string =>
  `${text.replaceAll(/ (select|from|where|returning|on conflict|values) /g, '\n  $1 ')}\n`

const compile = (structure: Structure, name: string): string => {
  const text = readFileSync(new URL(`${name}.graphql`, folder), 'utf8')
  const document = prepareDocument(text, structure.schema)
  const operation = chooseOperation(document, undefined)
  const variables = readVariables(structure.schema, operation, {})
  return planFor(structure, { text, document, operation, variables }, everything).statement.text
}

describe('the steps of mutations match the golden files byte for byte', () => {
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
})

describe('texts', () => {
  test('objects of the same shape share one statement, whatever their number and values', () => {
    const { model, version } = graphql().engine.structures.current()
    const structure = createStructure(model, version)
    const prepared = (count: number): Set<string> => {
      const objects = Array.from({ length: count }, (_, index) => `{name: "n${index}", rating: ${1 + (index % 5)}}`)
      const text = `mutation { insert_up_lib_authors(objects: [${objects.join()}]) { affected_rows } }`
      const document = prepareDocument(text, structure.schema)
      const operation = chooseOperation(document, undefined)
      const variables = readVariables(structure.schema, operation, {})
      const { mutation } = planFor(structure, { text, document, operation, variables }, everything)
      return new Set(mutation?.steps.map(step => step.text))
    }
    assert.deepEqual(prepared(1), prepared(50))
  })
})
