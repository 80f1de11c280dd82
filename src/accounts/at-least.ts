// Work whose duration would reveal something → the same result, never sooner than after a fixed time.
import { setTimeout as delay } from 'node:timers/promises'

export const atLeast = async <T>(milliseconds: number, work: Promise<T>): Promise<T> => {
  const [result] = await Promise.allSettled([work, delay(milliseconds)])
  if (result.status === 'rejected') throw result.reason
  return result.value
}
