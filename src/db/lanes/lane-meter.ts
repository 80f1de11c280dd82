// Statements in the lanes → how long they waited and ran by kind of lane, and how many are there now.
import {
  counterFamily,
  type Family,
  gaugeFamily,
  histogramFamily,
  type Labels,
  type Sample,
} from '../../metrics/family.ts'
import { createHistogram } from '../../metrics/histogram.ts'
import type { LaneKind } from './lane-rules.ts'

/** Of one kind of lane, now. */
export interface LaneFigures {
  readonly lanes: number
  readonly ready: number
  readonly running: number
  readonly waiting: number
}

export interface LaneMeter {
  waited(kind: LaneKind, ms: number): void
  ran(kind: LaneKind, ms: number): void
  /** It exceeded the limit of its lane, and goes to a slower one. */
  overran(kind: LaneKind): void
  families(labels: Labels, figuresOf: (kind: LaneKind) => LaneFigures): Family[]
}

const kinds = ['quick', 'trial', 'slow'] as const
const WAITED = 'minaret_statement_wait_seconds'
const RAN = 'minaret_statement_run_seconds'

const gauges = {
  minaret_lanes: { help: 'Connections for statements, by kind of lane.', of: ({ lanes }: LaneFigures) => lanes },
  minaret_lanes_ready: { help: 'Of these, those that accept statements.', of: ({ ready }: LaneFigures) => ready },
  minaret_statements_running: { help: 'Statements sent.', of: ({ running }: LaneFigures) => running },
  minaret_statements_waiting: { help: 'Statements in the queue.', of: ({ waiting }: LaneFigures) => waiting },
} as const

export const createLaneMeter = (): LaneMeter => {
  const tallyOf = () => ({ waits: createHistogram(), runs: createHistogram(), overruns: 0 })
  const tallies = { quick: tallyOf(), trial: tallyOf(), slow: tallyOf() }

  const each = (labels: Labels, samples: (kind: LaneKind, labels: Labels) => Sample[]): Sample[] =>
    kinds.flatMap(kind => samples(kind, { ...labels, lane: kind }))

  return {
    waited: (kind, ms) => tallies[kind].waits.observe(ms / 1000),
    ran: (kind, ms) => tallies[kind].runs.observe(ms / 1000),
    overran: kind => {
      tallies[kind].overruns += 1
    },
    families: (labels, figuresOf) => [
      histogramFamily(
        { name: WAITED, help: 'How long statements waited for a lane.' },
        each(labels, (kind, own) => tallies[kind].waits.samples(WAITED, own)),
      ),
      histogramFamily(
        { name: RAN, help: 'How long statements ran in the database.' },
        each(labels, (kind, own) => tallies[kind].runs.samples(RAN, own)),
      ),
      counterFamily(
        { name: 'minaret_statement_overruns_total', help: 'Statements that exceeded the limit of their lane.' },
        each(labels, (kind, own) => [{ labels: own, value: tallies[kind].overruns }]),
      ),
      ...Object.entries(gauges).map(([name, { help, of }]) =>
        gaugeFamily(
          { name, help },
          each(labels, (kind, own) => [{ labels: own, value: of(figuresOf(kind)) }]),
        ),
      ),
    ],
  }
}
