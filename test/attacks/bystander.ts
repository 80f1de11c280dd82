// Somebody else's small requests, sent one after the other while an attack runs: whether the thread that serves ever stood still.
import assert from 'node:assert/strict'
import { setTimeout as delay } from 'node:timers/promises'
import { startWatch } from '../support/waited.ts'

interface Addresses {
  readonly baseUrl: string
}

const PAUSE_MS = 5
/** Reading what is sent takes up to two seconds of a processor; a thread that serves is never held up by a tenth of that. */
const MOST_MS = 250

/** @returns what the attack gave; fails if a bystander waited too long for its answer, less what the machine was busy with. */
export const whileAsking = async <Result>(
  { baseUrl }: Addresses,
  attack: () => Promise<Result>,
  mostMs = MOST_MS,
): Promise<Result> => {
  let done = false
  const attacking = attack().finally(() => {
    done = true
  })
  attacking.catch(() => undefined)
  const waits: number[] = []
  while (!done) {
    const watch = startWatch()
    const response = await fetch(`${baseUrl}/healthz`)
    await response.arrayBuffer()
    waits.push(watch())
    assert.equal(response.status, 200)
    await delay(PAUSE_MS)
  }
  const longest = Math.max(0, ...waits)
  assert.ok(longest < mostMs, `a bystander waited ${Math.round(longest)} ms`)
  return attacking
}
