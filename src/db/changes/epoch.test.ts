import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Changed, Changes } from './check-statements.ts'
import { createEpochs, lastChange } from './epoch.ts'
import { isBefore, stillKnown, unseenBy } from './snapshot.ts'

const found = (changed: readonly (string | Changed)[], more: Partial<Changes> = {}): Changes => ({
  seen: { snapshot: '10:12:', standby: false, known: [] },
  seconds: 1000,
  changed: changed.map(one => (typeof one === 'string' ? [one, null] : one)),
  structure: false,
  overrun: false,
  ...more,
})

test('a check marks the tables that changed with its number', () => {
  const epochs = createEpochs()
  epochs.add('a', found([]))
  epochs.add('a', found(['public.x']))
  epochs.add('a', found(['public.y']))
  epochs.confirm()
  const { check, lastMark, marks } = epochs.current ?? assert.fail()
  assert.deepEqual(
    { check, lastMark, marks: [...marks] },
    {
      check: 4,
      lastMark: 3,
      marks: [
        ['public.x', 2],
        ['public.y', 3],
      ],
    },
  )
})

test('a change of one masjid leaves what was read of another; one without a masjid concerns all', () => {
  const epochs = createEpochs()
  epochs.add('a', found([['public.x', 'one']]))
  const epoch = epochs.current ?? assert.fail()
  const last = (...masjids: string[]): number => lastChange(epoch, { table: 'public.x', masjids })
  assert.deepEqual([last('one'), last('two'), last('two', 'one')], [1, 0, 1])
  assert.equal(lastChange(epoch, { table: 'public.x', masjids: undefined }), 1)
  epochs.add('a', found(['public.x', ['public.y', 'two']]))
  assert.deepEqual([last('one'), last('two')], [2, 2])
})

test('marks of masjids are bounded: beyond that, every masjid counts as changed', () => {
  const epochs = createEpochs()
  epochs.add('a', found([['public.x', 'first']]))
  for (let part = 0; part < 6; part += 1)
    epochs.add('a', found(Array.from({ length: 20_000 }, (_, index) => ['public.x', `${part}-${index}`] as const)))
  const epoch = epochs.current ?? assert.fail()
  assert.ok(epoch.byMasjid.size <= 100_000)
  assert.ok(lastChange(epoch, { table: 'public.x', masjids: ['another'] }) > 1)
})

test('the same snapshot twice is quiet; on a standby it says nothing', () => {
  const epochs = createEpochs()
  epochs.add('a', found([]))
  assert.ok(!epochs.isQuiet)
  epochs.add('a', found([]))
  assert.ok(epochs.isQuiet)
  epochs.add('a', found([], { seen: { snapshot: '10:12:', standby: true, known: [] } }))
  assert.ok(!epochs.isQuiet)
})

for (const [what, changes] of Object.entries({
  'too many changes at once': found([], { overrun: true }),
  "a leap of the database's clock": found([], { seconds: 5000 }),
}))
  test(`${what} begins a new epoch`, () => {
    const epochs = createEpochs()
    epochs.add('a', found([]))
    const { current } = epochs
    epochs.add('a', changes)
    assert.notEqual(epochs.current, current)
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
