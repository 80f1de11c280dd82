// Statements of many keys → which runs in which lane, and when. It has no clock and does no I/O: it is told when a statement
// has finished, and says which to start.
import { type Account, expectedOf, fade, isWithinShare, reserve, settle } from './account.ts'
import { type Asked, chooseLane, hasRoom, type LaneLoad } from './choose-lane.ts'
import { createFairQueue, type FairQueue } from './fair-queue.ts'
import { type LaneKind, laneRules, SLOW_TURN_MS } from './lane-rules.ts'

export interface Lane extends LaneLoad {
  running: number
  reservedMs: number
}

export interface Job<L extends Lane> {
  readonly account: Account
  kind: LaneKind
  /** The expected time of its statement, whoever sends it, on a machine that is not busy. */
  readonly statementMs: number
  /** What its statement takes at best. */
  readonly leastMs: number
  /** Undefined while it is queued. */
  lane: L | undefined
  reservedMs: number
  startedAt: number
  /** When it was queued; it counts until it starts. */
  queuedAt?: number
}

type Submission = 'started' | 'waiting' | 'too many of this key' | 'too many'

export interface Schedule<J> {
  submit(job: J): Submission
  /** Ahead of the others of its key, and never refused: it was started before. */
  submitFirst(job: J): void
  ended(job: J, ranMs: number): void
  /** @returns whether it was removed from the queue. */
  withdraw(job: J): boolean
  /** Lanes of this kind may be free, or their statements have had their turn. @returns how many are waiting. */
  wake(kind: LaneKind): number
  waiting(kind: LaneKind): number
}

export interface ScheduleOptions<L extends Lane, J extends Job<L>> {
  readonly lanesOf: (kind: LaneKind) => readonly L[]
  readonly now: () => number
  readonly start: (job: J, lane: L) => void
  /** Cancels a running statement so that another key gets its lane; it comes back by `submitFirst`. */
  readonly preempt: (job: J) => void
  /** Calls back when the events of this turn have been processed. */
  readonly afterTurn: (work: () => void) => void
  /** How many times as long as usual statements take at the moment. */
  readonly slowdown: (now: number) => number
  /** Told how long a statement waited for its lane. */
  readonly waited?: (kind: LaneKind, ms: number) => void
}

/**
 * Statements shorter than this share a lane with others of the same turn: one packet, and one server process to wake. Those that
 * were this short only at best share it with others of their key: a longer one delays nobody else.
 */
const SHARING_BELOW_MS = 1

export const createSchedule = <L extends Lane, J extends Job<L>>(options: ScheduleOptions<L, J>): Schedule<J> => {
  const { lanesOf, start, preempt, slowdown } = options
  const queues: Readonly<Record<LaneKind, FairQueue<J>>> = {
    quick: createFairQueue(),
    trial: createFairQueue(),
    slow: createFairQueue(),
  }
  const slowJobs = new Set<J>()
  let preempted: J | undefined
  /** The lanes for this turn's short statements: of one key, or of everybody. */
  const shared = new Map<Account | 'everybody', L>()

  /** The same lane until it is full. */
  const share = (by: Account | 'everybody', lanes: readonly L[], asked: Asked): L | undefined => {
    const known = shared.get(by)
    if (known !== undefined && hasRoom(known, asked)) return known
    const lane = chooseLane(lanes, asked)
    if (lane === undefined) return undefined
    if (shared.size === 0) options.afterTurn(() => shared.clear())
    shared.set(by, lane)
    return lane
  }

  const laneFor = ({ account, kind, statementMs, leastMs }: J, ms: number, now: number): L | undefined => {
    const lanes = lanesOf(kind)
    const asked = { ms, depth: laneRules[kind].depth, now, slowdown: slowdown(now) }
    if (kind !== 'quick' || leastMs >= SHARING_BELOW_MS) return chooseLane(lanes, asked)
    return share(statementMs < SHARING_BELOW_MS ? 'everybody' : account, lanes, asked)
  }

  const begin = (job: J, lane: L, ms: number, now: number): void => {
    const { account, kind } = job
    job.lane = lane
    job.reservedMs = ms
    job.startedAt = now
    lane.running += 1
    lane.reservedMs += ms
    reserve(account, kind, ms)
    if (kind === 'slow') slowJobs.add(job)
    start(job, lane)
  }

  const msOf = ({ account, kind, statementMs }: J): number => expectedOf(account, kind, statementMs)
  const mayGo = (job: J): boolean => isWithinShare(job.account, job.kind, msOf(job), lanesOf(job.kind).length)

  /**
   * A key without a slow lane gets one from a key that has several, the one it has had for the shortest time; otherwise
   * one whose statement has had its turn, from a key that used more.
   */
  const preemptFor = ({ account, kind }: J, now: number): void => {
    if (kind !== 'slow' || preempted !== undefined || account.slow.running > 0) return
    const running = [...slowJobs]
    preempted =
      running.findLast(job => job.account.slow.running > 1) ??
      running.find(job => now - job.startedAt >= SLOW_TURN_MS && job.account.usedMs > account.usedMs + SLOW_TURN_MS)
    if (preempted !== undefined) preempt(preempted)
  }

  /** Stops at the first that finds no room, so that statements which need a whole lane get one eventually. */
  const pump = (kind: LaneKind): void => {
    const queue = queues[kind]
    while (queue.length > 0) {
      const now = options.now()
      const job = queue.first(now, mayGo)
      if (job === undefined) return
      const ms = msOf(job)
      const lane = laneFor(job, ms, now)
      if (lane === undefined) {
        preemptFor(job, now)
        return
      }
      queue.remove(job)
      options.waited?.(kind, now - (job.queuedAt ?? now))
      begin(job, lane, ms, now)
    }
  }

  /** If nobody is waiting, nothing is queued: the usual case. */
  const beginAtOnce = (job: J): boolean => {
    const now = options.now()
    fade(job.account, now)
    if (queues[job.kind].length > 0 || !mayGo(job)) return false
    const ms = msOf(job)
    const lane = laneFor(job, ms, now)
    if (lane === undefined) return false
    options.waited?.(job.kind, 0)
    begin(job, lane, ms, now)
    return true
  }

  const wait = (job: J): Submission => {
    const queue = queues[job.kind]
    const { waiting, waitingPerKey } = laneRules[job.kind]
    if (queue.lengthOf(job.account) >= waitingPerKey) return 'too many of this key'
    if (queue.length >= waiting) return 'too many'
    job.queuedAt = options.now()
    queue.push(job)
    pump(job.kind)
    return job.lane === undefined ? 'waiting' : 'started'
  }

  const release = (job: J, lane: L): void => {
    lane.running -= 1
    lane.reservedMs = lane.running === 0 ? 0 : lane.reservedMs - job.reservedMs
    job.lane = undefined
    slowJobs.delete(job)
    if (preempted === job) preempted = undefined
  }

  return {
    submit: job => (beginAtOnce(job) ? 'started' : wait(job)),
    submitFirst: job => {
      job.queuedAt = options.now()
      queues[job.kind].pushFirst(job)
      pump(job.kind)
    },
    ended: (job, ranMs) => {
      const { account, kind, reservedMs, statementMs, lane } = job
      if (lane === undefined) return
      release(job, lane)
      settle(account, { kind, reservedMs, statementMs, ranMs, slowdown: slowdown(options.now()) })
      pump(kind)
    },
    withdraw: job => {
      const wasWaiting = queues[job.kind].remove(job)
      // It may have been the one that everybody was waiting for.
      if (wasWaiting) pump(job.kind)
      return wasWaiting
    },
    wake: kind => {
      pump(kind)
      return queues[kind].length
    },
    waiting: kind => queues[kind].length,
  }
}
