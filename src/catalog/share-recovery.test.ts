import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { startWatch } from '../../test/support/waited.ts'
import { shareRecovery } from './share-recovery.ts'

/** A recovery whose reloads take a moment, and bring a new structure when `brings` says so. */
const start = (brings: boolean) => {
  const seen = { reloads: 0, revision: 0 }
  const recover = shareRecovery({
    revision: () => seen.revision,
    reload: async () => {
      seen.reloads += 1
      await pause(5)
      if (brings) seen.revision += 1
    },
  })
  return { seen, recover }
}

test('a reload that brings nothing new is tried once a second, whoever asks and however often', async () => {
  const { seen, recover } = start(false)
  const started = Date.now()
  await recover()
  const asking = Array.from({ length: 20 }, async (_, index) => {
    await pause(index * 10)
    await recover()
  })
  await Promise.all(asking)
  const seconds = (Date.now() - started) / 1000
  assert.ok(seen.reloads >= 2 && seen.reloads <= 1 + Math.round(seconds), `${seen.reloads} in ${seconds} s`)
  assert.ok(seconds > 0.9, `${seconds} s`)
})

test('a reload that brings a new structure is not throttled', async () => {
  const { seen, recover } = start(true)
  const watch = startWatch()
  for (let count = 0; count < 5; count += 1) await recover()
  assert.equal(seen.reloads, 5)
  assert.ok(watch() < 3000)
})

test('a failed reload rejects those who wait for it, and nobody after them', async () => {
  let fails = true
  let revision = 0
  const recover = shareRecovery({
    revision: () => revision,
    reload: async () => {
      revision += 1
      if (fails) throw new Error('no connection')
    },
  })
  await assert.rejects(recover(), /no connection/)
  fails = false
  await recover()
})
