// Which test files a run has: `npm test` leaves the large ones to CI, and says so.
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { chooseFiles, describeLeftOut } from '../../scripts/tests/choose.ts'
import { large } from '../../scripts/tests/large.ts'
import { ownProcess } from '../../scripts/tests/own-process.ts'

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')

test('a run without words leaves out the large files and nothing else, and says how many', () => {
  const suite = chooseFiles([])
  const all = chooseFiles(['--all'])
  assert.deepEqual(new Set(suite.leftOut), new Set(large.keys()))
  assert.deepEqual(new Set([...suite.files, ...suite.leftOut]), new Set(all.files))
  assert.equal(suite.files.length + suite.leftOut.length, all.files.length)
  assert.match(describeLeftOut(suite) ?? '', new RegExp(`^Left out: ${large.size} large test files`))
})

test('a run of all, and a profile, leave out nothing', () => {
  for (const word of ['--all', '--profile']) {
    const choice = chooseFiles([word])
    assert.deepEqual(choice.leftOut, [])
    assert.equal(describeLeftOut(choice), undefined)
    assert.ok(choice.files.includes('test/faults/replicas.test.ts'))
  }
})

test('a file that is named runs, whatever its size', () => {
  const file = 'test/faults/replicas.test.ts'
  assert.ok(large.has(file))
  assert.deepEqual(chooseFiles([file]), { files: [file], leftOut: [] })
})

test('every listed file exists', () => {
  const missing = [...large.keys(), ...ownProcess.keys()].filter(file => !existsSync(file))
  assert.deepEqual(missing, [])
})

test('CI runs all of them', () => {
  assert.match(read('.ci/run'), /exec npm test -- --all\n$/)
})
