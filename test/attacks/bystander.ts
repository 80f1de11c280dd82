// Somebody else's small requests, sent one after the other while an attack runs: whether the thread that serves ever stood still.
import assert from 'node:assert/strict'
import { setTimeout as delay } from 'node:timers/promises'
import { startWatch } from '../support/waited.ts'
import { slowness } from './thread-cost.ts'

interface Addresses {
  readonly baseUrl: string
}

export interface Bystander {
  /** Asks until the attack is answered. */
  during<Result>(what: string, attack: () => Promise<Result>): Promise<Result>
  /** Fails if the bystander was slower than without the attack. */
  finish(): void
}

const PAUSE_MS = 5
/** Reading what is sent takes up to two seconds of a processor; a thread that serves is never held up by a fraction of that. */
const MOST_MS = 250
const QUIET = 40
/** The attacker runs in the same process, so that three times very little is no measure. */
const LEAST_BAR_MS = 40
const TIMES = 3

/** Less what the machine was busy with. */
const askOnce = async ({ baseUrl }: Addresses): Promise<number> => {
  const watch = startWatch()
  const response = await fetch(`${baseUrl}/healthz`)
  await response.arrayBuffer()
  assert.equal(response.status, 200)
  return watch()
}

const p95 = (values: readonly number[]): number =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length * 0.95)] ?? 0

export const startBystander = async (addresses: Addresses): Promise<Bystander> => {
  // As on the machine of the bars.
  const slower = slowness()
  const quiet: number[] = []
  for (let count = 0; count < QUIET; count += 1) quiet.push(await askOnce(addresses))
  const waits: number[] = []
  return {
    during: async (what, attack) => {
      let done = false
      const attacking = attack().finally(() => {
        done = true
      })
      attacking.catch(() => undefined)
      do {
        const wait = await askOnce(addresses)
        assert.ok(wait < MOST_MS * slower, `a bystander waited ${Math.round(wait)} ms during ${what}`)
        waits.push(wait)
        await delay(PAUSE_MS)
      } while (!done)
      return attacking
    },
    finish: () => {
      const [before, after] = [p95(quiet), p95(waits)]
      assert.ok(
        after <= Math.max(before * TIMES, LEAST_BAR_MS * slower),
        `p95 of ${after} ms, ${before} ms when it was quiet`,
      )
    },
  }
}

/** @returns what the attack gave; fails if a bystander waited too long for its answer. */
export const whileAsking = async <Result>(addresses: Addresses, attack: () => Promise<Result>): Promise<Result> => {
  const bystander = await startBystander(addresses)
  return bystander.during('the attack', attack)
}
