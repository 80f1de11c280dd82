// Documents in a folder → their statements, compared byte for byte with the golden files beside them. `UPDATE_GOLDEN=1` writes those.
import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import { test } from 'node:test'
import { chooseOperation, prepareDocument } from '../../src/graphql/document.ts'
import { planFor } from '../../src/graphql/plan-for.ts'
import { readVariables } from '../../src/graphql/read-variables.ts'
import { createStructure, type Structure } from '../../src/graphql/structure.ts'
import { everything } from './use-engine.ts'

export interface GoldenFolder {
  readonly folder: URL
  /** Variables of documents that have no file with their own. */
  readonly examples: Readonly<Record<string, string>>
  /** The statement with a line per clause, so that diffs are readable. */
  inLines(statement: string): string
}

export const compileFile = (
  { folder, examples }: GoldenFolder,
  structure: Structure,
  name: string,
  grant = everything,
): string => {
  const text = readFileSync(new URL(`${name}.graphql`, folder), 'utf8')
  const given = new URL(`${name}.json`, folder)
  const document = prepareDocument(text, structure.schema)
  const operation = chooseOperation(document, undefined)
  const values = existsSync(given) ? JSON.parse(readFileSync(given, 'utf8')) : examples
  const variables = readVariables(structure.schema, operation, values)
  return planFor(structure, { text, document, operation, variables }, grant).statement.text
}

/** One test per document. */
export const testGoldenFiles = (golden: GoldenFolder, current: () => Structure): void => {
  for (const file of globSync('*.graphql', { cwd: golden.folder }).sort()) {
    const name = basename(file, '.graphql')
    test(name, () => {
      const { model, version } = current()
      const compile = (): string => golden.inLines(compileFile(golden, createStructure(model, version), name))
      const text = compile()
      const expected = new URL(`${name}.sql`, golden.folder)
      if (process.env.UPDATE_GOLDEN === '1') writeFileSync(expected, text)
      assert.equal(text, readFileSync(expected, 'utf8'))
      assert.equal(text, compile(), 'the same when compiled again')
    })
  }
}
