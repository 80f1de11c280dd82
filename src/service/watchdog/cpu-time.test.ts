import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isMainThread } from 'node:worker_threads'
import { within } from '../../../test/support/oauth.ts'
import { thisPlatform } from '../../platform/this-platform.ts'
import { cpuTimeReader, readTicks } from './cpu-time.ts'

const line = (name: string): string =>
  `4711 (${name}) R 1 4711 4711 0 -1 4194304 1 2 3 4 120 35 0 0 20 0 11 0 4242 1 2 18446744073709551615`

test('times of user and system are added up, whatever the program is called', () => {
  for (const name of ['node', 'my (node) 9 R', ') 1 2 3']) assert.equal(readTicks(line(name)), 155)
})

test('the time of the main thread grows with its work', {
  skip: isMainThread ? false : 'not the main thread',
}, async () => {
  for (const read of [cpuTimeReader(thisPlatform.mainThreadFile), cpuTimeReader('/nowhere/stat')]) {
    const before = read()
    await within(30_000, 'the work is seen', async () => {
      for (let count = 0; count < 5_000_000; count += 1) Math.sqrt(count)
      return read() - before >= 50
    })
  }
})
