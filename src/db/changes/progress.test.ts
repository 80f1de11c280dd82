import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Changes } from './check-statements.ts'
import { createProgress } from './progress.ts'
import { isBefore, stillKnown, unseenBy } from './snapshot.ts'

const found = (more: Partial<Changes> = {}): Changes => ({
  seen: { snapshot: '10:12:', standby: false, known: [] },
  position: null,
  seconds: 1000,
  changed: [],
  heard: true,
  structure: false,
  overrun: false,
  ...more,
})

test('the same snapshot twice is quiet; on a standby it says nothing', () => {
  const progress = createProgress()
  progress.take(found())
  assert.ok(!progress.isQuiet)
  progress.take(found())
  assert.ok(progress.isQuiet)
  progress.take(found({ seen: { snapshot: '10:12:', standby: true, known: [] } }))
  assert.ok(!progress.isQuiet)
})

test('the first time is a gap, and so is the first after everything was forgotten', () => {
  const progress = createProgress()
  assert.deepEqual([progress.take(found()), progress.take(found())], [true, false])
  progress.forget()
  assert.deepEqual([progress.take(found()), progress.take(found())], [true, false])
})

for (const [what, changes] of Object.entries({
  'too many changes at once, or a log that no longer has all of them,': found({ overrun: true }),
  "a leap of the database's clock": found({ seconds: 5000 }),
}))
  test(`${what} is a gap`, () => {
    const progress = createProgress()
    progress.take(found())
    assert.ok(progress.take(changes))
  })

test('what a snapshot has not seen: later transactions, and those that were running', () => {
  const seen = { snapshot: '10:15:10,13', standby: false, known: [] }
  assert.deepEqual(unseenBy(seen), { from: '15', running: ['10', '13'], known: [] })
})

test('a snapshot of a standby does not say what was running: everything from its xmin on, except what was seen', () => {
  const seen = { snapshot: '10:15:', standby: true, known: ['12'] }
  assert.deepEqual(unseenBy(seen), { from: '10', running: [], known: ['12'] })
  assert.deepEqual(stillKnown('12:20:', ['11', '12', '19']), ['12', '19'])
})

test('a transaction that a snapshot has not seen may be older than what the log still has', () => {
  const seen = { snapshot: '10:15:10,13', standby: false, known: [] }
  assert.ok(isBefore(seen, '11'))
  assert.ok(!isBefore(seen, '10'))
  assert.ok(!isBefore(undefined, '11'))
  assert.ok(!isBefore(seen, null))
})
