// The address where an app publishes its keys → those keys, fetched without being led to our own network, and cached.
import { createLocalJWKSet, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose'
import { LRUCache } from 'lru-cache'
import { checkJwks } from '../../apps/check-jwks.ts'
import type { Clock } from '../../base/clock.ts'
import { FetchRefused } from '../../outbound/fetch-refused.ts'
import { type Dial, guardedFetch } from '../../outbound/guarded-fetch.ts'
import { invalidClient } from '../oauth-fault.ts'

export interface PublishedKeys {
  /** @throws {Fault} `invalid_client` if they cannot be fetched, or are no keys. */
  find(address: string): Promise<JWTVerifyGetKey>
  /** Fetches again, for a key that was not among them; at most twice a minute. */
  findAgain(address: string): Promise<JWTVerifyGetKey>
}

interface Known {
  readonly keys: JWTVerifyGetKey | undefined
  readonly fault: Error | undefined
  readonly fetchedAt: number
}

const FRESH_MS = 5 * 60_000
/** Whoever sends assertions with unknown keys cannot make us ask the app's server more often. */
const AGAIN_MS = 30_000
const MOST_BYTES = 64 * 1024

const unusable = (why: string): Error => invalidClient(`The keys of this app cannot be read from its jwks_uri: ${why}.`)

const read = async (address: string, dial: Dial | undefined): Promise<JSONWebKeySet> => {
  const headers = { accept: 'application/jwk-set+json, application/json' }
  const wanted = { address, purpose: 'jwks', headers, mostBytes: MOST_BYTES }
  const { bytes } = await guardedFetch(wanted, dial)
  const checked = await checkJwks(bytes.toString())
  if (checked.kind === 'faulty') throw unusable(checked.fault)
  return checked.jwks
}

export const createPublishedKeys = (dial: Dial | undefined, clock: Clock): PublishedKeys => {
  const known = new LRUCache<string, Known>({ max: 1000 })
  const fetching = new Map<string, Promise<Known>>()

  const load = async (address: string): Promise<Known> => {
    const fetchedAt = clock.now().getTime()
    try {
      return { keys: createLocalJWKSet(await read(address, dial)), fault: undefined, fetchedAt }
    } catch (error) {
      const fault = error instanceof FetchRefused ? unusable(error.reason) : (error as Error)
      return { keys: undefined, fault, fetchedAt }
    }
  }
  /** Concurrent requests share one fetch. */
  const fetchOnce = (address: string): Promise<Known> => {
    const running = fetching.get(address)
    if (running !== undefined) return running
    const started = load(address)
      .then(loaded => {
        known.set(address, loaded)
        return loaded
      })
      .finally(() => fetching.delete(address))
    fetching.set(address, started)
    return started
  }
  const within = async (address: string, milliseconds: number): Promise<JWTVerifyGetKey> => {
    const found = known.get(address)
    const age = found === undefined ? Number.POSITIVE_INFINITY : clock.now().getTime() - found.fetchedAt
    const limit = found?.keys === undefined ? AGAIN_MS : milliseconds
    const { keys, fault } = found !== undefined && age >= 0 && age < limit ? found : await fetchOnce(address)
    if (keys === undefined) throw fault ?? unusable('unreachable')
    return keys
  }
  return { find: address => within(address, FRESH_MS), findAgain: address => within(address, AGAIN_MS) }
}
