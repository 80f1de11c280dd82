// Statements → their one text, over a few pipelined connections of a role that may only read.
import { Fault } from '../base/fault.ts'
import type { Logger } from '../base/log.ts'
import type { Connection } from './connection.ts'
import { type Abandonment, createReaderConnection, HitByCancel, type ReaderConnection } from './reader-connection.ts'
import type { TextStatement } from './text-channel.ts'

export interface ReaderOptions {
  /** The database, or its replicas. */
  readonly targets: readonly Connection[]
  readonly log: Logger
  /** How many connections answer everyday statements. Slow ones have two of their own. */
  readonly connections: number
  readonly statementTimeoutMs: number
}

export interface Reader {
  /** The text in the first column of the first row. `abandoned` calls when nobody waits for the answer any more. */
  read(statement: TextStatement, abandoned?: Abandonment): Promise<string>
  readonly ready: boolean
  close(): Promise<void>
}

const SLOW_MS = 100
const SLOW_LANES = 2
const QUICK_MS = 1
/** Quick statements that come at one moment share a lane, this many at most: one packet, and one server process to wake. */
const MOST_SHARING = 16
const MOST_NAMES = 1000
const PATIENCE_MS = 3000
const MOST_ATTEMPTS = 4

/** Reading twice does no harm, so what failed for the connection's sake is sent again. */
const mayRepeat = (error: unknown): boolean => {
  const code = (error as { code?: string }).code ?? ''
  // 40001: a replica could not keep what was being read.
  if (error instanceof HitByCancel || code === '26000' || code === '40001' || /^(57P0|08)/.test(code)) return true
  // The driver's own errors and those of the socket carry no SQLSTATE.
  return !/^[0-9A-Z]{5}$/.test(code) || /^E[A-Z]+$/.test(code)
}

const unavailable = (cause: unknown): Fault =>
  new Fault({
    code: 'unavailable',
    status: 503,
    message: 'The database cannot be reached at the moment. Try again shortly.',
    cause,
    headers: { 'retry-after': '1' },
  })

export const createReader = (options: ReaderOptions): Reader => {
  const waiting = new Set<() => void>()
  const slow = new Set<string>()
  const quick = new Set<string>()
  const onReady = (): void => {
    for (const go of waiting) go()
  }
  const remember = (names: Set<string>, name: string): void => {
    if (names.size >= MOST_NAMES) names.clear()
    names.add(name)
  }
  const onRan = ({ name }: TextStatement, milliseconds: number): void => {
    if (milliseconds < QUICK_MS) remember(quick, name)
    else quick.delete(name)
    if (milliseconds > SLOW_MS) remember(slow, name)
    else if (slow.size > 0 && milliseconds < SLOW_MS / 2) slow.delete(name)
  }
  const open = (index: number): ReaderConnection => {
    const connection = options.targets[index % options.targets.length] as Connection
    return createReaderConnection({ ...options, connection, onReady, onRan })
  }
  const fastLanes = Array.from({ length: options.connections }, (_, index) => open(index))
  const slowLanes: ReaderConnection[] = []

  const lanesFor = (statement: TextStatement): readonly ReaderConnection[] => {
    if (!slow.has(statement.name)) return fastLanes
    while (slowLanes.length < SLOW_LANES) slowLanes.push(open(slowLanes.length))
    return slowLanes
  }

  const pick = (lanes: readonly ReaderConnection[]): ReaderConnection | undefined => {
    let best: ReaderConnection | undefined
    let least = Number.POSITIVE_INFINITY
    for (const lane of lanes) {
      if (!lane.ready) continue
      const { load } = lane
      if (load < least) [best, least] = [lane, load]
    }
    return best
  }

  let shared: ReaderConnection | undefined
  let sharing = 0

  /** The lane that quick statements of this turn of the event loop go to, until it has enough of them. */
  const pickShared = (): ReaderConnection | undefined => {
    if (shared?.ready === true && sharing < MOST_SHARING) {
      sharing += 1
      return shared
    }
    if (shared === undefined) setImmediate(() => (shared = undefined))
    shared = pick(fastLanes)
    sharing = 1
    return shared
  }

  const pickFor = (statement: TextStatement, lanes: readonly ReaderConnection[]): ReaderConnection | undefined =>
    lanes === fastLanes && quick.has(statement.name) ? pickShared() : pick(lanes)

  const waitForReady = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const done = (error?: unknown): void => {
        clearTimeout(timer)
        waiting.delete(go)
        if (error === undefined) resolve()
        else reject(error)
      }
      const go = (): void => done()
      const timer = setTimeout(() => done(unavailable('no connection')), PATIENCE_MS)
      waiting.add(go)
    })

  const laneFor = async (lanes: readonly ReaderConnection[]): Promise<ReaderConnection> => {
    for (;;) {
      await waitForReady()
      const lane = pick(lanes)
      if (lane !== undefined) return lane
    }
  }

  const read = (statement: TextStatement, abandoned?: Abandonment): Promise<string> =>
    new Promise((resolve, reject) => {
      let attempts = 0
      const attempt = (): void => {
        const lanes = lanesFor(statement)
        const lane = pickFor(statement, lanes)
        if (lane === undefined) laneFor(lanes).then(sendOver, reject)
        else sendOver(lane)
      }
      const sendOver = (lane: ReaderConnection): void => {
        attempts += 1
        lane.read(statement, abandoned, done)
      }
      const done = (error: Error | undefined, text: string): void => {
        if (error === undefined) resolve(text)
        else if (!mayRepeat(error)) reject(error)
        else if (attempts === MOST_ATTEMPTS) reject(unavailable(error))
        else attempt()
      }
      attempt()
    })

  return {
    read,
    get ready() {
      return fastLanes.some(lane => lane.ready)
    },
    close: async () => void (await Promise.all([...fastLanes, ...slowLanes].map(lane => lane.close()))),
  }
}
