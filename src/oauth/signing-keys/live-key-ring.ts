// A key ring that follows the database: read at startup, on notification, after a lost connection, and every half minute.
import type { Clock } from '../../base/clock.ts'
import type { Logger } from '../../base/log.ts'
import type { Listener } from '../../db/listener.ts'
import { unwatched, type WatchJob } from '../../metrics/job-book.ts'
import type { KeyRing } from './key-ring.ts'
import { loadKeyRing } from './load-keys.ts'
import { type KeyKeeper, maintainKeys } from './maintain-keys.ts'

export interface LiveKeyRing {
  current(): KeyRing
  close(): void
}

export interface LiveKeyRingParts extends KeyKeeper {
  readonly listener: Listener
  readonly clock: Clock
  readonly log: Logger
  readonly watch?: WatchJob | undefined
}

const POLL_MS = 30_000

export const openLiveKeyRing = async (parts: LiveKeyRingParts): Promise<LiveKeyRing> => {
  const { database, secret, listener, clock, log, watch = unwatched } = parts
  const maintain = (): Promise<void> => watch('signing_keys', () => maintainKeys(parts, clock.now()))
  await maintain()
  let ring = await loadKeyRing(database, secret)
  const reload = async (): Promise<void> => {
    ring = await loadKeyRing(database, secret)
  }
  // The old ring can still sign, so a failed read waits for the next poll.
  const quietly = (work: () => Promise<void>) => (): void =>
    void work().catch(error => log.warn({ err: error }, 'the signing keys could not be read; retrying soon'))
  const poll = async (): Promise<void> => {
    await maintain()
    await reload()
  }
  await listener.on('minaret_signing_keys', quietly(reload))
  listener.onReconnected(quietly(reload))
  const timer = setInterval(quietly(poll), POLL_MS)
  timer.unref()
  return { current: () => ring, close: () => clearInterval(timer) }
}
