import assert from 'node:assert/strict'
import { afterEach, describe, test } from 'node:test'
import { createSideThread, type SideThread } from '../../src/threads/side-thread.ts'
import { TookTooMuch } from '../../src/threads/took-too-much.ts'
import type { TestTasks } from './tasks-of-tests.ts'

let thread: SideThread<TestTasks>
const open = (mostCpuMs?: number): void => {
  thread = createSideThread<TestTasks>({
    script: new URL('./tasks-of-tests.ts', import.meta.url),
    name: 'test',
    ...(mostCpuMs === undefined ? {} : { mostCpuMs }),
  })
}

afterEach(() => thread.end())

describe('a task on a side thread', () => {
  test('gives its result', async () => {
    open(200)
    assert.equal(await thread.run('a', 'double', 21), 42)
  })

  test('that never ends is ended, and the next one is answered', async () => {
    open(200)
    const spinning = thread.run('a', 'spin', undefined)
    const next = thread.run('b', 'double', 1)
    await assert.rejects(spinning, (error: unknown) => error instanceof TookTooMuch && error.what === 'time')
    assert.equal(await next, 2)
  })

  test('that wants all the memory is ended, and the process goes on', async () => {
    open(60_000)
    await assert.rejects(
      thread.run('a', 'hoard', undefined),
      (error: unknown) => error instanceof TookTooMuch && error.what === 'memory',
    )
    assert.equal(await thread.run('a', 'double', 2), 4)
  })

  test('has two seconds of its own CPU time and 192 MB, unless its thread says otherwise', async () => {
    open()
    await thread.run('a', 'work', 800)
    await assert.rejects(thread.run('a', 'work', 4000), TookTooMuch)
    assert.equal(await thread.run('a', 'keep', 100), 100)
    await assert.rejects(thread.run('a', 'keep', 400), TookTooMuch)
  })

  test('that fails, or ends its thread, fails alone', async () => {
    open(200)
    await assert.rejects(thread.run('a', 'fail', undefined), { message: 'the task "fail" failed' })
    await assert.rejects(thread.run('a', 'die', undefined), /ended early/)
    assert.equal(await thread.run('a', 'double', 3), 6)
  })

  test('of a sender with many waits for those of others', async () => {
    open(200)
    const order: string[] = []
    const run = (sender: string): Promise<unknown> =>
      thread.run(sender, 'double', 1).then(() => void order.push(sender))
    await Promise.all([...Array.from({ length: 10 }, () => run('many')), run('one')])
    assert.ok(order.indexOf('one') <= 2, order.join())
  })

  test('beyond those that may wait is refused', async () => {
    open(200)
    const tasks = Array.from({ length: 40 }, () => thread.run('many', 'double', 1))
    const outcomes = await Promise.allSettled(tasks)
    const refused = outcomes.filter(({ status }) => status === 'rejected')
    assert.ok(refused.length > 0 && refused.length < 40)
    for (const one of refused) assert.equal((one as PromiseRejectedResult).reason.code, 'too-many-waiting')
  })
})

test('the thread that serves goes on while a task never ends', async () => {
  open(500)
  const spinning = thread.run('a', 'spin', undefined)
  let turns = 0
  const timer = setInterval(() => {
    turns += 1
  }, 5)
  await assert.rejects(spinning, TookTooMuch)
  clearInterval(timer)
  assert.ok(turns > 10, String(turns))
})
