// Requests → totals per app, key and minute in memory, written in batches: counting never waits for the database.
import type { Clock } from '../base/clock.ts'
import type { Logger } from '../base/log.ts'
import type { Queryable } from '../db/database.ts'
import { type ErrorSum, writeErrors } from './requests/errors.ts'
import { type RequestLine, writeRequests } from './requests/tail.ts'
import { bucketOf, emptyBuckets } from './usage-buckets.ts'
import { type QueryNote, type UsageSum, writeQueries, writeSums } from './write-usage.ts'

export interface UsageEvent {
  readonly appId: string
  readonly keyId?: string | undefined
  /** `refused`: a client error; `failed`: a server error. */
  readonly outcome: 'answered' | 'refused' | 'failed'
  readonly milliseconds: number
  readonly rows: number
  /** The document without its variables. */
  readonly query?: string | undefined
  /** The error's code. */
  readonly code?: string | undefined
  /** The error's code and message. */
  readonly reason?: string | undefined
}

export interface Usage {
  /** Returns at once. */
  record(event: UsageEvent): void
  /** Writes the totals so far. */
  flush(): Promise<void>
  close(): Promise<void>
}

export interface UsageInput {
  readonly database: Queryable
  readonly clock: Clock
  readonly log: Logger
}

const FLUSH_MS = 2000
/** Queries slower than this are shown to the developer. */
const SLOW_MS = 250
/** Per app, kind and flush, so that a flood of refused queries does not become a flood of writes. */
const NOTES_PER_FLUSH = 5
/** Per app, key and flush, should somebody be looking at them. */
const LINES_PER_FLUSH = 20
/** Kinds of errors per flush, of all apps together. */
const ERRORS_PER_FLUSH = 1000
const LONGEST_QUERY = 2000
const LONGEST_REASON = 500

interface MutableSum extends UsageSum {
  requests: number
  errors: number
  rows: number
  milliseconds: number
  readonly lines: RequestLine[]
}

interface MutableErrors extends ErrorSum {
  errors: number
  lastAt: Date
  query: string | undefined
}

interface Counted {
  readonly sums: Map<string, MutableSum>
  readonly notes: Map<string, QueryNote[]>
  readonly errors: Map<string, MutableErrors>
  last: MutableSum | undefined
}

const nothingCounted = (): Counted => ({ sums: new Map(), notes: new Map(), errors: new Map(), last: undefined })

const MINUTE_MS = 60_000

const isFor = (sum: UsageSum, { appId, keyId }: UsageEvent, now: number): boolean => {
  const since = now - sum.minute.getTime()
  return sum.appId === appId && sum.keyId === keyId && since >= 0 && since < MINUTE_MS
}

const sumFor = (counted: Counted, event: UsageEvent, now: number): MutableSum => {
  const { sums, last } = counted
  // Consecutive requests often come from the same client; they skip building the key.
  if (last !== undefined && isFor(last, event, now)) return last
  const { appId, keyId } = event
  const minute = new Date(now - (now % MINUTE_MS))
  const name = `${appId} ${keyId ?? ''} ${minute.getTime()}`
  const zero = { requests: 0, errors: 0, rows: 0, milliseconds: 0 }
  const sum = sums.get(name) ?? { appId, keyId, minute, ...zero, latency: emptyBuckets(), lines: [] }
  sums.set(name, sum)
  counted.last = sum
  return sum
}

const count = (sum: MutableSum, { outcome, rows, milliseconds }: UsageEvent): void => {
  const place = bucketOf(milliseconds)
  sum.requests += 1
  sum.errors += outcome === 'answered' ? 0 : 1
  sum.rows += rows
  sum.milliseconds += Math.round(milliseconds)
  sum.latency[place] = (sum.latency[place] ?? 0) + 1
}

const keepLine = ({ lines }: MutableSum, event: UsageEvent, at: Date): void => {
  const { appId, keyId, outcome, code, rows, milliseconds, query = '' } = event
  if (lines.length >= LINES_PER_FLUSH) return
  lines.push({ appId, keyId, at, outcome, code, rows, milliseconds: Math.round(milliseconds), query })
}

const HOUR_MS = 60 * MINUTE_MS

const countError = ({ errors }: Counted, { appId, code, query }: UsageEvent, at: Date): void => {
  if (code === undefined) return
  const hour = new Date(at.getTime() - (at.getTime() % HOUR_MS))
  const name = `${appId} ${hour.getTime()} ${code}`
  const known = errors.get(name)
  if (known === undefined && errors.size >= ERRORS_PER_FLUSH) return
  const sum = known ?? { appId, code, hour, errors: 0, lastAt: at, query }
  sum.errors += 1
  sum.lastAt = at
  sum.query = query ?? sum.query
  errors.set(name, sum)
}

/** Keeps the slowest queries, and the first of the refused ones. */
const keepNote = ({ notes }: Counted, note: QueryNote): void => {
  const name = `${note.appId} ${note.outcome}`
  const kept = [...(notes.get(name) ?? []), note]
  if (note.outcome === 'slow') kept.sort((left, right) => right.milliseconds - left.milliseconds)
  notes.set(name, kept.slice(0, NOTES_PER_FLUSH))
}

const noteOf = (event: UsageEvent, at: Date): QueryNote | undefined => {
  const { appId, keyId, query, reason, outcome } = event
  const slow = outcome === 'answered' && event.milliseconds >= SLOW_MS
  if (query === undefined || !(slow || outcome === 'refused')) return undefined
  return {
    appId,
    keyId,
    at,
    outcome: slow ? 'slow' : 'refused',
    milliseconds: Math.round(event.milliseconds),
    query: query.slice(0, LONGEST_QUERY),
    reason: reason?.slice(0, LONGEST_REASON),
  }
}

export const createUsage = ({ database, clock, log }: UsageInput): Usage => {
  let counted = nothingCounted()
  let writing: Promise<void> = Promise.resolve()

  const write = async (): Promise<void> => {
    const batch = counted
    if (batch.sums.size === 0) return
    counted = nothingCounted()
    try {
      await writeSums(database, [...batch.sums.values()])
      await writeQueries(database, [...batch.notes.values()].flat())
      await writeErrors(database, [...batch.errors.values()])
      await writeRequests(
        database,
        [...batch.sums.values()].flatMap(({ lines }) => lines),
      )
    } catch (error) {
      log.warn({ err: error }, 'usage could not be written; these counts are lost')
    }
  }
  const flush = (): Promise<void> => {
    writing = writing.then(write)
    return writing
  }
  const timer = setInterval(() => void flush(), FLUSH_MS).unref()
  return {
    record: event => {
      const now = clock.now()
      const sum = sumFor(counted, event, now.getTime())
      count(sum, event)
      keepLine(sum, event, now)
      countError(counted, event, now)
      const note = noteOf(event, now)
      if (note !== undefined) keepNote(counted, note)
    },
    flush,
    close: () => {
      clearInterval(timer)
      return flush()
    },
  }
}
