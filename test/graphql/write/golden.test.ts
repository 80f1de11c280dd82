import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { chooseOperation, prepareDocument } from '../../../src/graphql/document.ts'
import { planFor } from '../../../src/graphql/plan-for.ts'
import { readVariables } from '../../../src/graphql/read-variables.ts'
import { createStructure } from '../../../src/graphql/structure.ts'
import { type GoldenFolder, testGoldenFiles } from '../golden-files.ts'
import { everything, useEngine } from '../use-engine.ts'
import { createLibrary } from './library.ts'

const graphql = useEngine(createLibrary)

const golden: GoldenFolder = {
  folder: new URL('golden/', import.meta.url),
  examples: {},
  inLines: text => `${text.replaceAll(/ (select|from|where|returning|on conflict|values) /g, '\n  $1 ')}\n`,
}

describe('the steps of mutations match the golden files byte for byte', () => {
  testGoldenFiles(golden, () => graphql().engine.structures.current())
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
