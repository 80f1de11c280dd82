import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { shareRuns } from './share-runs.ts'

type Done = (result: number | undefined) => void

const open = (patienceMs = 1000, gatherMs = 0) => {
  const begun: Done[] = []
  let stuck = 0
  const onStuck = (): void => {
    stuck += 1
  }
  const runs = shareRuns<number>({ run: done => void begun.push(done), patienceMs, onStuck, gatherMs })
  return { runs, begun, stuck: () => stuck }
}

const turn = (): Promise<void> => new Promise(resolve => setImmediate(resolve))

test('all who ask in one turn share a run', async () => {
  const { runs, begun } = open()
  const asked = [runs.ask(), runs.ask()]
  await turn()
  assert.equal(begun.length, 1)
  begun[0]?.(7)
  assert.deepEqual(await Promise.all(asked), [7, 7])
  assert.ok(runs.isIdle)
})

test('whoever asks while a run is under way gets the next one, and there is only one at a time', async () => {
  const { runs, begun } = open()
  const first = runs.ask()
  await turn()
  const later = [runs.ask(), runs.ask()]
  await turn()
  assert.equal(begun.length, 1, 'the first is still running')
  begun[0]?.(1)
  assert.equal(await first, 1)
  await turn()
  assert.equal(begun.length, 2)
  begun[1]?.(2)
  assert.deepEqual(await Promise.all(later), [2, 2])
})

test('a run waits a moment for as many as the one before has served', async () => {
  const { runs, begun } = open(60_000, 60_000)
  const first = [runs.ask(), runs.ask()]
  await turn()
  begun[0]?.(1)
  await Promise.all(first)
  const again = [runs.ask()]
  for (let turns = 0; turns < 5; turns += 1) await turn()
  assert.equal(begun.length, 1, 'the other is expected')
  again.push(runs.ask())
  await turn()
  await turn()
  assert.equal(begun.length, 2)
  begun[1]?.(2)
  assert.deepEqual(await Promise.all(again), [2, 2])
})

test('and no longer, if they do not come', async () => {
  const { runs, begun } = open(60_000, 1)
  const first = [runs.ask(), runs.ask()]
  await turn()
  begun[0]?.(1)
  await Promise.all(first)
  const alone = runs.ask()
  for (const end = Date.now() + 60_000; begun.length < 2 && Date.now() < end; ) await turn()
  begun[1]?.(2)
  assert.equal(await alone, 2)
})

test('nobody waits longer than their patience, and nobody queues behind a run that is late', async () => {
  const { runs, begun } = open(20)
  const first = runs.ask()
  await turn()
  const second = runs.ask()
  assert.deepEqual(await Promise.all([first, second]), [undefined, undefined])
  assert.equal(await runs.ask(), undefined)
  begun[0]?.(1)
  const third = runs.ask()
  await turn()
  begun[1]?.(3)
  assert.equal(await third, 3)
})

test('a run that never ends is reported', async () => {
  const { runs, stuck } = open(1)
  assert.equal(await runs.ask(), undefined)
  for (const end = Date.now() + 60_000; stuck() === 0 && Date.now() < end; ) await delay(20)
  assert.equal(stuck(), 1)
  runs.close()
})
