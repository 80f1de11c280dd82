import assert from 'node:assert/strict'
import { test } from 'node:test'
import { operatorGroups } from '../../../src/catalog/operators.ts'
import { knownOperators } from './operators.ts'

/** Of jsonpath and of ltree: their languages are PostgreSQL's own. */
const leftOut = ['_jsonb_path_exists', '_jsonb_path_match']
const { paths: _, ...evaluated } = operatorGroups

test('random queries are compared with an evaluation of every operator, but those of other languages', () => {
  const names = Object.values(evaluated).flatMap(operators => operators.map(({ name }) => name))
  assert.deepEqual([...new Set(names.filter(name => !knownOperators.includes(name)))], leftOut)
})
