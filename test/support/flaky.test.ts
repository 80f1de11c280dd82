import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { describeFlaky, type FlakyTest, flakyTests, knownFlaky } from './flaky.ts'

const root = new URL('../../', import.meta.url)
const read = (file: string): string => readFileSync(new URL(file, root), 'utf8')

test('every flaky test has an owner and a reason, and exists under its name', () => {
  for (const { file, name, owner, reason } of flakyTests) {
    assert.ok(owner !== '' && reason.length > 20, name)
    assert.ok(read(file).includes(`todo: knownFlaky('${name}')`), `${file}: ${name}`)
  }
})

test('no test is excused without being listed', () => {
  const about = ['**/node_modules', 'test/runner', 'test/support/flaky.test.ts']
  const files = globSync('{src,test,demo,bench}/**/*.test.ts', { cwd: root, exclude: about })
  const excused = files.filter(file => /\btodo: (?!knownFlaky)|\.todo\(/.test(read(file)))
  assert.deepEqual(excused, [])
})

const listed: FlakyTest[] = [{ file: 'a.test.ts', name: 'sometimes', owner: 'oauth', reason: 'the clock' }]

test('a run names each flaky test, and how many there are', () => {
  assert.deepEqual(describeFlaky([]), ['Flaky tests: none.'])
  assert.deepEqual(describeFlaky(listed), ['Flaky tests: 1.', '  a.test.ts: sometimes (oauth): the clock'])
})

test('only a listed test is excused', () => {
  assert.equal(knownFlaky('sometimes', listed), 'flaky (oauth): the clock')
  assert.throws(() => knownFlaky('never', listed), /not in the list/)
})
