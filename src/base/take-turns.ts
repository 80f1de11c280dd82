// Work → the same work, so many at a time. The rest waits in line, first come, first served; beyond a full line it is refused.
import { Fault } from './fault.ts'

export type Turns = <T>(work: () => Promise<T>) => Promise<T>

export interface TurnsRule {
  readonly atOnce: number
  readonly mostWaiting: number
}

/** A full line is served in a few seconds. */
const RETRY_SECONDS = 5

const lineIsFull = (): Fault =>
  new Fault({
    code: 'unavailable',
    status: 503,
    message: `Too many are waiting already. Try again in ${RETRY_SECONDS} seconds.`,
    headers: { 'retry-after': String(RETRY_SECONDS) },
  })

/** The work throws {Fault} `unavailable` where the line is full. */
export const createTurns = ({ atOnce, mostWaiting }: TurnsRule): Turns => {
  const waiting: (() => void)[] = []
  let busy = 0
  const leave = (): void => {
    const next = waiting.shift()
    if (next === undefined) busy -= 1
    else next()
  }
  return async work => {
    // Whoever leaves hands the place over, so that nobody slips in between.
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
