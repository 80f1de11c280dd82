// Due events → their occurrences from a month ago to a year ahead, a few events at a time.
import { setTimeout as delay } from 'node:timers/promises'
import { dayNumberAt, startOfDay } from '../base/civil-date.ts'
import type { DataSchema } from '../db/data-schema.ts'
import type { Database } from '../db/database.ts'
import { type DueEvent, type EventGoal, nextDueEvents } from './due-events.ts'
import { expandRule, RuleFault } from './expand-rule.ts'
import type { ExpandedEvent } from './resolve-starts.ts'
import { storeOccurrences } from './store-occurrences.ts'

export interface MaterialiseOptions {
  readonly database: Database
  readonly schema: DataSchema
  readonly now: Date
  /** Only the next days of events that have no occurrences yet; the rest stays due. */
  readonly reach?: EventGoal['reach']
  /** Returns after about this many milliseconds, even if more is due. */
  readonly forMs?: number
  /** How long rules are followed before what is ready is stored. */
  readonly expandingMs?: number
  /** Of masjids whose events took long, in the runs before too. */
  readonly turns?: Map<string, number>
  /** How long to pause after work of this many milliseconds. */
  readonly restFor?: (workedMs: number) => number
  readonly onFault?: (what: string, error: unknown) => void
}

const DAYS_BACK = 31
const DAYS_AHEAD = { nearest: 8, all: 366 }
/** Keeps a transaction to a fraction of a second, whether events occur once or daily. */
const STARTS_AT_ONCE = 5000
const MOST_EVENTS = 500
/** Expanding a rule can take seconds; what is ready by then is stored, so that changed times get their turn. */
const EXPANDING_MS = 500
/** What takes longer counts as a turn: otherwise a masjid whose rules use up the time of a batch each would be first in every batch. */
const LONG_MS = 20
/** Changed times wait in the meantime, and are promised within five seconds. */
const LONGEST_REST_MS = 2000

export const eventGoal = (schema: DataSchema, now: Date, reach: EventGoal['reach'] = 'all'): EventGoal => ({
  schema,
  now,
  reach,
  last: dayNumberAt(now) + DAYS_AHEAD[reach],
})

const windowOf = ({ now, last }: EventGoal) => ({
  from: startOfDay(dayNumberAt(now) - DAYS_BACK),
  until: startOfDay(last + 1) - 1000,
})

/** What the starts follow from. */
const recurrenceOf = ({ starts_local, timezone, rrule }: DueEvent): string => `${starts_local} ${timezone} ${rrule}`

/** An event with a rule that is invalid or never matches has no future occurrences until the rule is changed. */
const expand = (event: DueEvent, goal: EventGoal, onFault: MaterialiseOptions['onFault']): ExpandedEvent => {
  if (event.deleted) return { event, starts: [], refused: null }
  const refused = recurrenceOf(event)
  if (event.refused === refused) return { event, starts: [], refused }
  try {
    return { event, starts: expandRule(event, windowOf(goal)), refused: null }
  } catch (error) {
    onFault?.(`the occurrences of event ${event.id}`, error)
    return { event, starts: [], refused: error instanceof RuleFault ? refused : null }
  }
}

interface Expanding {
  readonly turns: Map<string, number>
  readonly expandingMs: number
  readonly onFault: MaterialiseOptions['onFault']
}

const countTurn = (turns: Map<string, number>, { masjid_id }: DueEvent): void =>
  void turns.set(masjid_id, (turns.get(masjid_id) ?? 0) + 1)

/** At least one event, and no more than fit a short transaction. */
const expandSome = (
  events: readonly DueEvent[],
  goal: EventGoal,
  { turns, expandingMs, onFault }: Expanding,
): ExpandedEvent[] => {
  const expanded: ExpandedEvent[] = []
  let now = performance.now()
  const enoughAt = now + expandingMs
  let starts = 0
  for (const event of events) {
    if (starts >= STARTS_AT_ONCE || now > enoughAt) break
    const began = now
    const one = expand(event, goal, onFault)
    expanded.push(one)
    starts += one.starts.length
    now = performance.now()
    if (now - began > LONG_MS) countTurn(turns, event)
  }
  return expanded
}

interface Materialised {
  readonly written: number
  /** Whether the time was over first: something may be left, also if nothing could be written. */
  readonly isCut: boolean
}

export const materialiseEvents = async (options: MaterialiseOptions): Promise<Materialised> => {
  const { database, schema, now, reach, forMs = Number.POSITIVE_INFINITY, restFor = () => 0, onFault } = options
  const { turns = new Map<string, number>(), expandingMs = EXPANDING_MS } = options
  const goal = eventGoal(schema, now, reach)
  const started = performance.now()
  const passedOver: string[] = []
  let written = 0
  for (;;) {
    const began = performance.now()
    const events = await nextDueEvents(database, goal, { skip: passedOver, limit: MOST_EVENTS, turns })
    if (events.length === 0) return { written, isCut: false }
    const expanded = expandSome(events, goal, { turns, expandingMs, onFault })
    const stored = await storeOccurrences(database, goal, expanded)
    // What has its nearest days stays due, and is not looked at again in this run.
    for (const { event } of expanded) if (reach === 'nearest' || !stored.has(event.id)) passedOver.push(event.id)
    // However quick it was: it would come first again in the next slice.
    for (const { event } of expanded) if (!stored.has(event.id)) countTurn(turns, event)
    written += stored.size
    const rest = Math.min(restFor(performance.now() - began), LONGEST_REST_MS)
    if (rest > 0) await delay(rest)
    if (performance.now() - started > forMs) return { written, isCut: true }
  }
}
