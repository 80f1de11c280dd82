import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { addedMs, type Machine, startWatch } from './waited.ts'

const idle: Machine = { waited: 100, missed: 1000, stolen: [500, 700] }

test('an idle machine adds nothing', () => {
  assert.equal(addedMs(idle, idle), 0)
  assert.equal(addedMs({ ...idle, stolen: [] }, { ...idle, stolen: [] }), 0)
})

test('a standstill that shows as missed and as stolen is counted once, that of one processor in full', () => {
  assert.equal(addedMs(idle, { ...idle, missed: 1300, stolen: [800, 990] }), 300)
  assert.equal(addedMs(idle, { ...idle, missed: 1010, stolen: [500, 1700] }), 1000)
})

test('waiting for a processor is counted for all who take part in a request', () => {
  assert.equal(addedMs(idle, { ...idle, waited: 110 }), 30)
})

const BLOCKED_MS = 400

/** Blocks the event loop, as a service must not. */
const block = (milliseconds: number): void => {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds)
}

test('a blocked event loop is not the machine’s fault', async () => {
  startWatch()
  let counted = 0
  // The machine may have stood still as well, but not for ever.
  for (const end = performance.now() + 120_000; counted < BLOCKED_MS * 0.9 && performance.now() < end; ) {
    const watch = startWatch()
    block(BLOCKED_MS)
    counted = watch()
    await delay(1)
  }
  assert.ok(counted >= BLOCKED_MS * 0.9, `${counted} ms`)
})

const STOPPED_MS = 1500

/** Looks until the standstill is counted: on a busy machine, the thread that counts it has its turn later. */
const sleeper = `
import { setTimeout as delay } from 'node:timers/promises'
import { countsStandstills, startWatch } from ${JSON.stringify(new URL('waited.ts', import.meta.url).href)}
startWatch()
while (!countsStandstills()) await delay(10)
const [watch, began] = [startWatch(), performance.now()]
process.stdin.once('data', async () => {
  for (let looks = 0; looks < 600; looks += 1) {
    const [counted, took] = [watch(), performance.now() - began]
    if (took - counted >= ${STOPPED_MS * 0.8} || looks === 599) {
      console.log(JSON.stringify([counted, took]))
      process.exit()
    }
    await delay(100)
  }
})
console.log('begun')`

test('a process that was not run does not count that time', async () => {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', sleeper], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const said = (): Promise<unknown[]> =>
    Promise.race([once(child.stdout, 'data'), once(child, 'exit').then(status => assert.fail(`it exited: ${status}`))])
  await said()
  child.kill('SIGSTOP')
  await delay(STOPPED_MS)
  child.kill('SIGCONT')
  child.stdin.write('now')
  const [text] = await said()
  const [counted, took] = JSON.parse(String(text)) as [number, number]
  assert.ok(took >= STOPPED_MS * 0.9 && counted <= took - STOPPED_MS * 0.8, `${counted} ms of ${took} ms`)
})
