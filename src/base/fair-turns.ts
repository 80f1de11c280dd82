// Work for many keys (an app, a network address, a masjid) → at most so much in progress for each key, and for all together.
// The rest waits, and keys take turns: one with a hundred requests holds up nobody else. Queues and waits are bounded.
import { Fault } from './fault.ts'

export interface FairTurnsRule {
  /** In progress at a time, for all keys together. */
  readonly atOnce: number
  readonly atOnceEach: number
  readonly mostWaiting: number
  readonly mostWaitingEach: number
  /** How long one may wait. */
  readonly mostMs: number
}

/** Tells that nobody waits for the result any more. */
interface Leaving {
  add(listener: () => void): void
  delete(listener: () => void): void
}

export interface FairTurns {
  /** @throws {Fault} `too-many-waiting`, `unavailable` */
  run<T>(key: string, work: () => Promise<T>): Promise<T>
  /**
   * For what costs less than a promise. Each successful `take` is followed by one `release`.
   * @returns nothing if it may go on at once. @throws {Fault} `too-many-waiting`, `unavailable`
   */
  take(key: string, leaving?: Leaving): Promise<void> | undefined
  release(key: string): void
  /** How many pieces of work are in progress, how many wait, and of how many keys something is known. */
  figures(): { readonly running: number; readonly waiting: number; readonly keys: number }
}

const OWN_RETRY_SECONDS = 1
/** A full queue drains in a few seconds. */
const RETRY_SECONDS = 5

const tooManyWaiting = (): Fault =>
  new Fault({
    code: 'too-many-waiting',
    status: 429,
    message: `Too many of your requests are in progress. Send fewer at a time; try again in ${OWN_RETRY_SECONDS} s.`,
    headers: { 'retry-after': String(OWN_RETRY_SECONDS) },
  })

const everybodyWaits = (): Fault =>
  new Fault({
    code: 'unavailable',
    status: 503,
    message: `Too many are waiting already. Try again in ${RETRY_SECONDS} seconds.`,
    headers: { 'retry-after': String(RETRY_SECONDS) },
  })

interface Line {
  running: number
  readonly waiting: Set<() => void>
}

const isEmpty = ({ running, waiting }: Line): boolean => running === 0 && waiting.size === 0

/** Whoever has nothing else in progress was held up by others. */
const refusalOf = (line: Line): Fault => (isEmpty(line) ? everybodyWaits() : tooManyWaiting())

export const createFairTurns = (rule: FairTurnsRule): FairTurns => {
  const lines = new Map<string, Line>()
  /** Keys with someone waiting, those that had a turn last at the end. */
  const queue = new Map<string, Line>()
  let running = 0
  let waiting = 0

  const lineOf = (key: string): Line => {
    const known = lines.get(key)
    if (known !== undefined) return known
    const line: Line = { running: 0, waiting: new Set() }
    lines.set(key, line)
    return line
  }

  const begin = (line: Line): void => {
    line.running += 1
    running += 1
  }

  const isFree = (line: Line): boolean => line.running < rule.atOnceEach && running < rule.atOnce

  const hasRoom = (line: Line): boolean => line.waiting.size < rule.mostWaitingEach && waiting < rule.mostWaiting

  const forget = (key: string, line: Line): void => {
    if (line.waiting.size === 0) queue.delete(key)
    if (isEmpty(line)) lines.delete(key)
  }

  /** What ended has made room for one. */
  const serveNext = (): void => {
    if (running >= rule.atOnce) return
    for (const [key, line] of queue) {
      if (!isFree(line)) continue
      const [next] = line.waiting
      queue.delete(key)
      if (line.waiting.size > 1) queue.set(key, line)
      next?.()
      return
    }
  }

  const wait = (key: string, line: Line, leaving: Leaving | undefined): Promise<void> =>
    new Promise((resolve, reject) => {
      const leave = (): void => {
        clearTimeout(timer)
        leaving?.delete(giveUp)
        if (line.waiting.delete(go)) waiting -= 1
      }
      const go = (): void => {
        leave()
        begin(line)
        resolve()
      }
      const giveUp = (): void => {
        leave()
        forget(key, line)
        reject(refusalOf(line))
      }
      const timer = setTimeout(giveUp, rule.mostMs)
      line.waiting.add(go)
      waiting += 1
      queue.set(key, line)
      leaving?.add(giveUp)
    })

  const take = (key: string, leaving?: Leaving): Promise<void> | undefined => {
    const line = lineOf(key)
    if (line.waiting.size === 0 && isFree(line)) return void begin(line)
    if (hasRoom(line)) return wait(key, line, leaving)
    forget(key, line)
    throw refusalOf(line)
  }

  const release = (key: string): void => {
    const line = lineOf(key)
    line.running -= 1
    running -= 1
    serveNext()
    forget(key, line)
  }

  return {
    run: async (key, work) => {
      await take(key)
      try {
        return await work()
      } finally {
        release(key)
      }
    },
    take,
    release,
    figures: () => ({ running, waiting, keys: lines.size }),
  }
}
