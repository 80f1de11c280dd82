// Targets → lanes of each kind: connections with the time limit of their kind. Slow ones are opened when first needed.
import type { Logger } from '../../base/log.ts'
import type { Connection } from '../connection.ts'
import { createReaderConnection, type ReaderConnection } from '../reader-connection.ts'
import {
  type LaneKind,
  lockLimitMs,
  QUICK_LIMIT_MS,
  SILENT_MS,
  SLOW_LANES,
  SWEEP_MS,
  TRIAL_LANES,
  TRIAL_LIMIT_MS,
} from './lane-rules.ts'
import type { Lane } from './schedule.ts'

export interface ConnectedLane extends Lane {
  /** How long one of its statements may run. */
  readonly limitMs: number
  readonly connection: ReaderConnection
  /** Which statement was the first at the last sweep, and how many sweeps it has been. */
  sweptSince: number
  sweeps: number
}

export interface Lanes {
  of(kind: LaneKind): readonly ConnectedLane[]
  /** Those that are open: asking opens none. */
  opened(kind: LaneKind): readonly ConnectedLane[]
  readonly ready: boolean
  /** Gives up connections whose server does not answer. To be called every `SWEEP_MS`. */
  dropSilent(): void
  close(): Promise<void>
}

export interface LanesOptions {
  /** The database, or its replicas. */
  readonly targets: readonly Connection[]
  readonly log: Logger
  readonly quickLanes: number
  readonly statementTimeoutMs: number
  readonly rehearsal?: string | undefined
  readonly onReady: (kind: LaneKind) => void
}

const laneOver = (connection: ReaderConnection, limitMs: number): ConnectedLane => ({
  connection,
  limitMs,
  running: 0,
  reservedMs: 0,
  sweptSince: 0,
  sweeps: 0,
  get ready() {
    return connection.ready
  },
  get headSince() {
    return connection.headSince
  },
})

/** Counted in sweeps, not by the clock: while this process is not run, its server may not be run either. */
const isSilent = (lane: ConnectedLane): boolean => {
  const { headSince, limitMs } = lane
  lane.sweeps = headSince > 0 && headSince === lane.sweptSince ? lane.sweeps + 1 : 0
  lane.sweptSince = headSince
  return lane.sweeps * SWEEP_MS > limitMs + SILENT_MS
}

export const openLanes = (options: LanesOptions): Lanes => {
  const { targets, log, quickLanes, statementTimeoutMs, rehearsal, onReady } = options
  // What most visitors wait for; the other lanes are for what takes longer anyway.
  const rehearsals: Partial<Record<LaneKind, string | undefined>> = { quick: rehearsal }
  let opened = 0

  const open = (kind: LaneKind, count: number, limitMs: number): ConnectedLane[] =>
    Array.from({ length: count }, () => {
      const connection = targets[opened % targets.length] as Connection
      opened += 1
      const ready = (): void => onReady(kind)
      const lockTimeoutMs = Math.min(lockLimitMs[kind], limitMs)
      const limits = { statementTimeoutMs: limitMs, lockTimeoutMs }
      return laneOver(
        createReaderConnection({ connection, log, ...limits, rehearsal: rehearsals[kind], onReady: ready }),
        limitMs,
      )
    })

  const quick = open('quick', quickLanes, Math.min(QUICK_LIMIT_MS, statementTimeoutMs))
  const trial = open('trial', TRIAL_LANES, Math.min(TRIAL_LIMIT_MS, statementTimeoutMs))
  let slow: ConnectedLane[] = []

  return {
    of: kind => {
      if (kind !== 'slow') return kind === 'quick' ? quick : trial
      if (slow.length === 0) slow = open('slow', SLOW_LANES, statementTimeoutMs)
      return slow
    },
    opened: kind => ({ quick, trial, slow })[kind],
    get ready() {
      return quick.some(lane => lane.ready)
    },
    dropSilent: () => {
      for (const lane of [...quick, ...trial, ...slow]) {
        const { headSince } = lane
        // This process may have been too busy to read: what has arrived is processed first.
        if (isSilent(lane))
          setImmediate(() => setImmediate(() => lane.headSince === headSince && lane.connection.drop()))
      }
    },
    close: async () => void (await Promise.all([...quick, ...trial, ...slow].map(lane => lane.connection.close()))),
  }
}
