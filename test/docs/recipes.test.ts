// docs/recipes.md: every file, test and check that it names exists, each step says what fails without it, and it stays short.
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { isMissing, namedTests } from '../support/named-tests.ts'

const project = new URL('../../', import.meta.url)
const read = (path: string): string => readFileSync(new URL(path, project), 'utf8')
const document = read('docs/recipes.md')

const recipes = document
  .split('\n## ')
  .slice(1)
  .map(section => {
    const [title = ''] = section.split('\n')
    return { title, steps: section.split('\n').filter(line => /^\| (?!file \|)/.test(line)) }
  })
const steps = recipes.flatMap(recipe => recipe.steps)

/** Rows look like: | file | what goes there | `npm run check` · types | */
const namedChecks = (text: string): string[] =>
  [...text.matchAll(/`npm run check` · ([^|]+?)\s*(?:\||<br>)/g)].map(([, name = '']) => name)

test('every recipe is there, in at most twelve steps', () => {
  assert.equal(recipes.length, 9)
  for (const recipe of recipes) assert.ok(recipe.steps.length > 2 && recipe.steps.length <= 12, recipe.title)
})

test('every step says what fails without it', () => {
  assert.deepEqual(
    steps.filter(step => namedTests(step).length + namedChecks(step).length === 0),
    [],
  )
})

test('every test that the recipes name exists', () => {
  assert.deepEqual(namedTests(document).filter(isMissing), [])
})

test('every check that the recipes name exists', () => {
  const [, list = ''] = /^const checks = \[$(.*?)^\]$/ms.exec(read('scripts/check.mjs')) ?? []
  const checks = [...list.matchAll(/^ +(?:\[)?'([a-z -]+)',/gm)].map(([, name]) => name)
  assert.deepEqual(
    namedChecks(document).filter(name => !checks.includes(name)),
    [],
  )
})

test('every file that the recipes name exists', () => {
  const paths = [...document.matchAll(/`((?:src|test|docs|migrations|scripts)\/[\w./-]*)`/g)].map(
    ([, path = '']) => path,
  )
  assert.ok(paths.length > 50)
  assert.deepEqual(
    paths.filter(path => !existsSync(new URL(path, project))),
    [],
  )
})
