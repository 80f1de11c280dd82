// Requests of many apps → at most so many in progress for each app, and for all together. The rest wait, and apps take turns;
// a queue that is too long, or a wait that is, ends with `too-many-waiting`.
import { Fault } from './fault.ts'

export interface FairTurnsRule {
  /** In progress at a time, for one key. */
  readonly atOnce: number
  /** How long one may wait. */
  readonly mostMs: number
}

/** Tells that nobody waits for the result any more. */
interface Leaving {
  add(listener: () => void): void
  delete(listener: () => void): void
}

export interface FairTurns {
  /** Each successful `take` is followed by one `release`. @returns nothing if it may go on at once. @throws {Fault} `too-many-waiting` */
  take(key: string, leaving?: Leaving): Promise<void> | undefined
  release(key: string): void
  /** How many requests are in progress, and how many wait. */
  figures(): { readonly running: number; readonly waiting: number }
}

/** For all keys together: what a process can work on at a time. */
const ALL_KEYS = 4
const MOST_WAITING_EACH = 1000
const MOST_WAITING = 4000
const RETRY_SECONDS = 1

const tooManyWaiting = (): Fault =>
  new Fault({
    code: 'too-many-waiting',
    status: 429,
    message: `Too many of your requests are in progress. Send fewer at a time; try again in ${RETRY_SECONDS} s.`,
    headers: { 'retry-after': String(RETRY_SECONDS) },
  })

interface Line {
  running: number
  readonly waiting: Set<() => void>
}

export const createFairTurns = ({ atOnce, mostMs }: FairTurnsRule): FairTurns => {
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

  const isFree = (line: Line): boolean => line.running < atOnce && running < atOnce * ALL_KEYS

  const forget = (key: string, line: Line): void => {
    if (line.waiting.size === 0) queue.delete(key)
    if (line.waiting.size === 0 && line.running === 0) lines.delete(key)
  }

  /** @returns whether somebody got a turn. */
  const serveNext = (): boolean => {
    for (const [key, line] of queue) {
      if (!isFree(line)) continue
      const [next] = line.waiting
      queue.delete(key)
      if (line.waiting.size > 1) queue.set(key, line)
      next?.()
      return true
    }
    return false
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
        reject(tooManyWaiting())
      }
      const timer = setTimeout(giveUp, mostMs)
      line.waiting.add(go)
      waiting += 1
      queue.set(key, line)
      leaving?.add(giveUp)
    })

  return {
    take: (key, leaving) => {
      const line = lineOf(key)
      if (line.waiting.size === 0 && isFree(line)) return void begin(line)
      if (line.waiting.size < MOST_WAITING_EACH && waiting < MOST_WAITING) return wait(key, line, leaving)
      forget(key, line)
      throw tooManyWaiting()
    },
    release: key => {
      const line = lineOf(key)
      line.running -= 1
      running -= 1
      while (serveNext());
      forget(key, line)
    },
    figures: () => ({ running, waiting }),
  }
}
