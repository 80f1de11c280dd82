import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Changed } from './check-statements.ts'
import { changedAfter, createEpochs, lastChange } from './epoch.ts'

const everywhere = (...tables: string[]): Changed[] => tables.map(table => [table, [null]])

test('a check marks the tables that changed with its number', () => {
  const epochs = createEpochs()
  epochs.add('a', [])
  epochs.add('a', everywhere('public.x'))
  epochs.add('a', everywhere('public.y'))
  epochs.add('a', [])
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
  epochs.add('a', [['public.x', ['one']]])
  const epoch = epochs.current ?? assert.fail()
  const last = (...masjids: string[]): number => lastChange(epoch, { table: 'public.x', masjids })
  assert.deepEqual([last('one'), last('two'), last('two', 'one')], [1, 0, 1])
  assert.equal(lastChange(epoch, { table: 'public.x', masjids: undefined }), 1)
  epochs.add('a', [...everywhere('public.x'), ['public.y', ['two']]])
  assert.deepEqual([last('one'), last('two')], [2, 2])
})

test('marks of masjids are bounded: beyond that, every masjid counts as changed', () => {
  const epochs = createEpochs()
  epochs.add('a', [['public.x', ['first']]])
  for (let part = 0; part < 6; part += 1) {
    const masjids = Array.from({ length: 20_000 }, (_, index) => `${part}-${index}`)
    epochs.add('a', [['public.x', masjids]])
  }
  const epoch = epochs.current ?? assert.fail()
  assert.ok(epoch.byMasjid.size <= 100_000)
  assert.ok(lastChange(epoch, { table: 'public.x', masjids: ['another'] }) > 1)
})

test('the masjids that changed last are known, and that there were too many', () => {
  const epochs = createEpochs()
  epochs.add('a', [])
  epochs.add('a', [['public.x', ['one', 'two']]])
  epochs.add('a', [['public.x', ['two', null, 'three']]])
  const epoch = epochs.current ?? assert.fail()
  const after = (check: number) => changedAfter(epoch, 'public.x', check)
  assert.deepEqual(after(1), ['one', 'two', 'three'])
  assert.deepEqual(after(2), ['two', 'three'])
  assert.deepEqual(after(3), [])
  assert.deepEqual(changedAfter(epoch, 'public.y', 1), [])
  for (let count = 0; count < 1000; count += 1) epochs.add('a', [['public.x', [`${count}`]]])
  assert.equal(after(3), undefined)
  assert.deepEqual(after(epoch.check - 2), ['998', '999'])
  assert.ok((epoch.recent.get('public.x')?.changes.length ?? Number.NaN) <= 200)
  const { check } = epoch
  epochs.add('a', [['public.x', Array.from({ length: 5000 }, (_, index) => `many ${index}`)]])
  assert.equal(after(check), undefined)
  assert.deepEqual(after(check + 1), [])
})

test('a new epoch begins after something may have been missed', () => {
  const epochs = createEpochs()
  epochs.add('a', [])
  const { current } = epochs
  epochs.add('a', [])
  assert.equal(epochs.current, current)
  epochs.forget()
  assert.equal(epochs.current, undefined)
  epochs.add('a', [])
  assert.notEqual(epochs.current, current)
})
