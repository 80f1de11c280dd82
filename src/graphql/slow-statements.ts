// Statements that took long → lines in the log: which document, what it cost, and how PostgreSQL runs it. Never a value: the plan is
// made without parameters.
import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Logger } from '../base/log.ts'
import type { Reader } from '../db/reader.ts'
import { waitedMs } from '../db/statement-timing.ts'
import type { TimedStatement } from './timed-statement.ts'

interface SlowLook {
  readonly reader: Reader
  readonly statements: readonly TimedStatement[]
  /** The document, unless there were several. */
  readonly query: string | undefined
  readonly requestId: string
  /** The major version of PostgreSQL. */
  readonly server: number
}

export interface SlowStatements {
  /** Resolves when everything is logged; nobody has to wait for it. */
  look(look: SlowLook): Promise<void>
}

export interface SlowOptions {
  readonly slowMs: number
  readonly log: Logger
}

/** A plan is logged once in this time for each statement. */
const PLAN_EACH_MS = 600_000
const MOST_PLANS = 500
/** Beyond these, a second's lines are only counted: a slow database must not fill the disk. */
const LINES_PER_SECOND = 10
/** Of PostgreSQL: the first with `generic_plan`. */
const GENERIC_PLANS = 16

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16)

const explain = async (reader: Reader, { cached: { statement }, settings }: TimedStatement): Promise<unknown> => {
  const text = `explain (generic_plan, format json) ${statement.text}`
  // The protocol wants a value for each parameter; the plan is made for any.
  const values = statement.slots.map(() => null)
  const read = { text, name: `explain ${statement.name}`, values, none: '', prepare: false, settings }
  return JSON.parse(await reader.read(read, { who: 'slow statements' }))
}

export const createSlowStatements = ({ slowMs, log }: SlowOptions): SlowStatements => {
  const explained = new LRUCache<string, true>({ max: MOST_PLANS, ttl: PLAN_EACH_MS })
  let second = 0
  let lines = 0
  let omitted = 0

  /** @returns how many were left out before, or undefined if this one is too. */
  const take = (): number | undefined => {
    const now = Math.floor(performance.now() / 1000)
    if (now !== second) [second, lines] = [now, 0]
    lines += 1
    if (lines > LINES_PER_SECOND) {
      omitted += 1
      return undefined
    }
    const before = omitted
    omitted = 0
    return before
  }

  const planOf = async (reader: Reader, timed: TimedStatement, server: number): Promise<unknown> => {
    const { name } = timed.cached.statement
    // A mutation is several statements, each with its own parameters.
    if (timed.cached.mutation !== undefined) return undefined
    if (server < GENERIC_PLANS || explained.has(name)) return undefined
    explained.set(name, true)
    return explain(reader, timed).catch(() => undefined)
  }

  const report = async (timed: TimedStatement, { reader, query, requestId, server }: SlowLook): Promise<void> => {
    const before = take()
    if (before === undefined) return
    const { counted, plan, statement } = timed.cached
    const slow = {
      statement: statement.name,
      document: query === undefined ? undefined : hashOf(query),
      fields: counted.names,
      cost: plan.cost,
      ranMs: Math.round(timed.ranMs),
      waitedMs: Math.round(waitedMs(timed)),
      requestId,
      omitted: before > 0 ? before : undefined,
      plan: await planOf(reader, timed, server),
    }
    log.warn({ slow }, 'a slow statement')
  }

  return {
    look: async look => {
      for (const timed of look.statements) if (timed.ranMs >= slowMs) await report(timed, look)
    },
  }
}
