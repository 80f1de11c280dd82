import assert from 'node:assert/strict'
import { test } from 'node:test'
import { repeatIfDeadlocked } from './repeat-if-deadlocked.ts'

const failing = (code: string, times: number) => {
  let runs = 0
  return async (): Promise<number> => {
    runs += 1
    if (runs <= times) throw Object.assign(new Error(`run ${runs}`), { code })
    return runs
  }
}

test('what a deadlock ended is done once more', async () => {
  assert.equal(await repeatIfDeadlocked(failing('40P01', 1)), 2)
})

test('a second deadlock is the answer', async () => {
  await assert.rejects(repeatIfDeadlocked(failing('40P01', 3)), { message: 'run 2' })
})

test('nothing else is repeated', async () => {
  await assert.rejects(repeatIfDeadlocked(failing('57014', 3)), { message: 'run 1' })
})
