import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { createFairTurns } from './fair-turns.ts'
import { keepInTurns } from './keep-in-turns.ts'

const open = (atOnce = 2) =>
  createFairTurns({ atOnce, atOnceEach: 1, mostWaiting: 1000, mostWaitingEach: 100, mostMs: 10_000 })

test('a result is made once, however many ask for it, and again only if it is another', async () => {
  let made = 0
  const keep = keepInTurns(open(), new Map<string, number>())
  const make = async (): Promise<number> => {
    await nextTurn()
    return ++made
  }
  const first = await Promise.all(Array.from({ length: 50 }, (_, index) => keep(`address ${index % 7}`, 'one', make)))
  assert.deepEqual([...new Set(first)], [1])
  assert.equal(await keep('a', 'one', make), 1)
  assert.equal(await keep('a', 'two', make), 2)
  assert.equal(made, 2)
})

test('a failure is not kept', async () => {
  let tries = 0
  const keep = keepInTurns(open(), new Map<string, string>())
  const make = async (): Promise<string> => {
    tries += 1
    if (tries === 1) throw new Error('failed')
    return 'made'
  }
  await assert.rejects(keep('a', 'one', make))
  assert.equal(await keep('a', 'one', make), 'made')
})

test('what one address has queued holds up no other that asks for the same', async () => {
  const keep = keepInTurns(open(1), new Map<string, string>())
  const done: string[] = []
  const ask = async (who: string, name: string): Promise<void> => {
    await keep(who, name, async () => {
      await nextTurn()
      return name
    })
    done.push(`${who} ${name}`)
  }
  const names = Array.from({ length: 20 }, (_, index) => `name ${index}`)
  await Promise.all([...names.map(name => ask('greedy', name)), ask('other', 'name 19')])
  assert.ok(done.indexOf('other name 19') <= 2, done.join(', '))
})
