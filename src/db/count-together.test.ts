import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TEST_SECRET } from '../../test/support/minaret.ts'
import { useDatabase } from '../../test/support/open-database.ts'
import type { Budget } from '../base/limit.ts'
import { createLogger } from '../base/log.ts'
import { countTogether, type SharedCounting } from './count-together.ts'
import type { Queryable } from './database.ts'
import { sql } from './sql.ts'

const database = useDatabase()
const rule = { tries: 10, seconds: 60 }

interface Process extends SharedCounting {
  readonly budget: Budget
}

/** Processes that count the same keys, with one clock that a test can move. */
const processes = (name: string, count: number, queryable: Queryable = database()) => {
  let time = Date.now()
  const clock = { now: () => new Date(time) }
  const all = Array.from({ length: count }, (): Process => {
    const shared = countTogether({ database: queryable, clock, log: createLogger('silent'), secret: TEST_SECRET })
    return { ...shared, budget: shared.counting(name, rule) }
  })
  return {
    all: all as [Process, Process, ...Process[]],
    wait: (seconds: number): void => {
      time += seconds * 1000
    },
    close: () => Promise.all(all.map(one => one.close())),
  }
}

const spend = (budget: Budget, times: number, key = 'someone'): number => {
  let allowed = 0
  for (let count = 0; count < times; count += 1) allowed += Number(budget.spend(key, 1))
  return allowed
}

test('what one process counts, another sees', async () => {
  const { all, close } = processes('known', 2)
  const [first, second] = all
  assert.equal(spend(first.budget, 8), 8)
  await first.flush()
  assert.equal(spend(second.budget, 1), 1)
  await second.flush()
  assert.equal(second.budget.standing('someone').left, 1)
  assert.equal(spend(second.budget, 5), 1)
  assert.equal(spend(second.budget, 3, 'another'), 3)
  await close()
})

test('they synchronise by themselves, within half a second', async () => {
  const { all, close } = processes('by themselves', 2)
  const [first, second] = all
  spend(first.budget, 10)
  const deadline = Date.now() + 60_000
  while (second.budget.spend('someone', 1) && Date.now() < deadline)
    await new Promise(resolve => setTimeout(resolve, 300))
  assert.equal(second.budget.spend('someone', 1), false)
  await close()
})

test('counts taken during a sync are neither lost nor doubled', async () => {
  const { all, close } = processes('meanwhile', 2)
  const [first, second] = all
  spend(first.budget, 2)
  const flushing = first.flush()
  // The statement is in flight now.
  await new Promise(resolve => setImmediate(resolve))
  spend(first.budget, 3)
  await flushing
  assert.equal(first.budget.standing('someone').left, 5)
  await first.flush()
  spend(second.budget, 1)
  await second.flush()
  assert.equal(second.budget.standing('someone').left, 4)
  await close()
})

test('many concurrent processes: none fails, and the sum is right', async () => {
  const { all, close } = processes('many', 8)
  for (const { budget } of all) for (let key = 0; key < 200; key += 1) budget.spend(`key ${key}`, 1)
  await Promise.all(all.map(({ flush }) => flush()))
  const last = all[1]
  for (let key = 0; key < 200; key += 1) last.budget.spend(`key ${key}`, 1)
  await last.flush()
  for (let key = 0; key < 200; key += 1) assert.equal(last.budget.standing(`key ${key}`).left, 1)
  await close()
})

test('all start over at the same moment', async () => {
  const { all, wait, close } = processes('anew', 2)
  const [first, second] = all
  spend(first.budget, 10)
  await first.flush()
  wait(50)
  spend(second.budget, 1)
  await second.flush()
  assert.deepEqual(second.budget.standing('someone'), { left: 0, seconds: 10 })
  wait(10)
  assert.equal(spend(second.budget, 10), 10)
  await second.flush()
  assert.equal(spend(first.budget, 1), 1)
  await first.flush()
  assert.equal(first.budget.standing('someone').left, 0)
  await close()
})

test('a key that one process resets is reset even in those that had not seen it yet', async () => {
  const { all, close } = processes('forgotten', 2)
  const [first, second] = all
  spend(first.budget, 9)
  await first.flush()
  first.budget.forget('someone')
  await first.flush()
  spend(second.budget, 1)
  await second.flush()
  assert.equal(second.budget.standing('someone').left, 9)
  await close()
})

test('stored counters do not reveal their keys', async () => {
  const { all, close } = processes('sealed', 2)
  spend(all[0].budget, 1, 'someone@example.org')
  await all[0].flush()
  const kept = await database().query<{ row: string }>(sql`select c::text as row from minaret.counts c`)
  assert.ok(kept.length > 0)
  const plain = Buffer.from('someone@example.org').toString('hex')
  assert.ok(kept.every(({ row }) => !row.includes('someone') && !row.includes(plain)))
  await close()
})

test('without its database a process counts alone, and loses nothing of its own', async () => {
  const away = { query: () => Promise.reject(new Error('away')), run: () => Promise.reject(new Error('away')) }
  const { all, close } = processes('alone', 2, away as unknown as Queryable)
  assert.equal(spend(all[0].budget, 6), 6)
  await all[0].flush()
  assert.equal(spend(all[0].budget, 6), 4)
  await close()
})
