// Limits how many pieces of work run at once. The rest queue, first in, first out; when the queue is full, work is refused.
import { Fault } from './fault.ts'

export type Turns = <T>(work: () => Promise<T>) => Promise<T>

export interface TurnsRule {
  readonly atOnce: number
  readonly mostWaiting: number
}

/** A full queue drains in a few seconds. */
const RETRY_SECONDS = 5

const lineIsFull = (): Fault =>
  new Fault({
    code: 'unavailable',
    status: 503,
    message: `Too many are waiting already. Try again in ${RETRY_SECONDS} seconds.`,
    headers: { 'retry-after': String(RETRY_SECONDS) },
  })

/** @throws {Fault} `unavailable` if the queue is full. */
export const createTurns = ({ atOnce, mostWaiting }: TurnsRule): Turns => {
  const waiting: (() => void)[] = []
  let busy = 0
  const leave = (): void => {
    const next = waiting.shift()
    if (next === undefined) busy -= 1
    else next()
  }
  return async work => {
    // A finished task passes its slot to the next in the queue, so that no newcomer jumps ahead.
    if (busy < atOnce) busy += 1
    else if (waiting.length >= mostWaiting) throw lineIsFull()
    else await new Promise<void>(resolve => waiting.push(resolve))
    try {
      return await work()
    } finally {
      leave()
    }
  }
}
