// The words of the guides' tables against what the code has: none is missing, and none is left of what is gone.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { languages } from '../../accounts/languages.ts'
import { operatorGroups } from '../../catalog/operators.ts'
import { createTools } from '../../mcp/tools.ts'
import { docsTexts } from './texts.ts'

for (const language of languages) {
  const { toolsTable, operatorsTable } = docsTexts[language]

  test(`every assistant tool has words in the language ${language}, and no other`, () => {
    const tools = createTools(() => assert.fail('only the names are asked for'))
    assert.deepEqual(Object.keys(toolsTable.tools), [...tools.keys()])
  })

  test(`every group of operators has words in the language ${language}, and no other`, () => {
    assert.deepEqual(Object.keys(operatorsTable.groups), Object.keys(operatorGroups))
  })
}
