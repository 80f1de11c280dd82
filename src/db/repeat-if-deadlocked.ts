// Statements that PostgreSQL ended because of a deadlock → the same once more: it has rolled back all that they did.
import { setTimeout as delay } from 'node:timers/promises'
import { databaseCode } from './database-fault.ts'

export const isDeadlock = (error: unknown): boolean => databaseCode(error) === '40P01'

/** Whoever is let through has to be woken first, or the same rows are locked again before it. */
const GIVE_WAY_MS = 100

/** Only once: whoever deadlocks again waits for somebody who will do so a third time. */
export const repeatIfDeadlocked = async <T>(work: () => Promise<T>): Promise<T> => {
  try {
    return await work()
  } catch (error) {
    if (!isDeadlock(error)) throw error
    await delay(GIVE_WAY_MS)
    return work()
  }
}
