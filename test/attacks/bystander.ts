// Somebody else's small requests, sent while an attack runs and after each request of it: whether the thread that serves ever stood
// still. The attacker and the bystander are in its process, so that whatever it works on is seen as CPU time of this thread; what a
// busy machine adds, is not.
import assert from 'node:assert/strict'
import { setTimeout as delay } from 'node:timers/promises'
import { cpuMs, slowness } from './thread-cost.ts'

interface Addresses {
  readonly baseUrl: string
}

export interface Bystander {
  /** Asks until the attack is answered, and once more. */
  during<Result>(what: string, attack: () => Promise<Result>): Promise<Result>
  /** Fails if the bystander was slower after the attacks than without them. */
  finish(): void
}

const PAUSE_MS = 5
/** Reading what is sent takes up to two seconds of a processor; a thread that serves is never held up by a fraction of that. */
const MOST_MS = 250
const QUIET = 40
const TIMES = 3

/** What the thread worked since then, until it answered: on this request, and on whatever came first. */
const askOnce = async ({ baseUrl }: Addresses, since = cpuMs()): Promise<number> => {
  const response = await fetch(`${baseUrl}/healthz`)
  await response.arrayBuffer()
  assert.equal(response.status, 200)
  return cpuMs() - since
}

const p95 = (values: readonly number[]): number =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length * 0.95)] ?? 0

export const startBystander = async (addresses: Addresses): Promise<Bystander> => {
  // As on the machine of the bars.
  const most = MOST_MS * slowness()
  const quiet: number[] = []
  for (let count = 0; count < QUIET; count += 1) quiet.push(await askOnce(addresses))
  const afterwards: number[] = []
  const ask = async (what: string, since?: number): Promise<number> => {
    const wait = await askOnce(addresses, since)
    assert.ok(wait < most, `a bystander waited ${Math.round(wait)} ms ${what}`)
    return wait
  }
  return {
    during: async (what, attack) => {
      let done = false
      // From the answer to the one before: nothing is hidden by the pauses.
      let since = cpuMs()
      const attacking = attack().finally(() => {
        done = true
      })
      attacking.catch(() => undefined)
      do {
        await ask(`during ${what}`, since)
        since = cpuMs()
        await delay(PAUSE_MS)
      } while (!done)
      await ask(`during ${what}`, since)
      afterwards.push(await ask(`after ${what}`))
      return attacking
    },
    finish: () => {
      const [before, after] = [p95(quiet), p95(afterwards)]
      assert.ok(after <= before * TIMES, `p95 of ${after} ms after the attacks, ${before} ms when it was quiet`)
    },
  }
}

/** @returns what the attack gave; fails if a bystander waited too long for its answer. */
export const whileAsking = async <Result>(addresses: Addresses, attack: () => Promise<Result>): Promise<Result> => {
  const bystander = await startBystander(addresses)
  return bystander.during('the attack', attack)
}
