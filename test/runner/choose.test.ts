// Which test files a run has: `npm test` leaves the large ones to CI, and says so.
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { testsOf } from '../../scripts/tests/changed.ts'
import { chooseFiles, describeLeftOut } from '../../scripts/tests/choose.ts'
import { large } from '../../scripts/tests/large.ts'
import { ownProcess } from '../../scripts/tests/own-process.ts'
import { shuffled, shuffleSeed } from '../../scripts/tests/shuffle.ts'

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

test('a run of what was changed has the tests beside it, and those of the folder that is named like its own', () => {
  const { files, leftOut } = chooseFiles(['--all'])
  const every = [...files, ...leftOut]
  const of = (...changed: readonly string[]): string[] => testsOf(changed, every)
  assert.deepEqual(of('test/oauth/dpop.test.ts'), ['test/oauth/dpop.test.ts'])
  const week = of('src/site/staff/week/changes-list.ts')
  assert.ok(week.includes('test/staff/week/pages.test.ts') && week.every(file => file.startsWith('test/staff/week/')))
  assert.ok(of('src/db/lanes/fate.ts').includes('src/db/lanes/fate.test.ts'))
  assert.ok(of('src/oauth/tokens/id-token.ts').includes('test/oauth/refresh-token.test.ts'))
  assert.ok(of('migrations/data/0500_rules.sql').includes('test/data-model/refused-rows.test.ts'))
  assert.ok(of('scripts/tests/choose.ts').includes('test/runner/choose.test.ts'))
  assert.deepEqual(of('LICENSE'), [])
})

test('files in another order are the same files, in an order that its seed repeats', () => {
  const list = Array.from({ length: 100 }, (_, index) => index)
  const once = shuffled(list, 7)
  assert.notDeepEqual(once, list)
  assert.deepEqual(
    once.toSorted((a, b) => a - b),
    list,
  )
  assert.deepEqual(shuffled(list, 7), once)
  assert.notDeepEqual(shuffled(list, 8), once)
  assert.equal(shuffleSeed(['--all', '--shuffle=12']), 12)
  assert.equal(shuffleSeed(['--all']), undefined)
  assert.ok(Number.isInteger(shuffleSeed(['--shuffle'])))
})
