// Statements → their single text, over a few pipelined connections of a read-only role. lanes/ decides when and over which
// connection each statement is sent.
import { databaseUnavailable } from './database-fault.ts'
import { noteSlow } from './lanes/account.ts'
import { createAccounts } from './lanes/accounts.ts'
import { type Fate, fateOf } from './lanes/fate.ts'
import { createLaneMeter, type LaneFigures } from './lanes/lane-meter.ts'
import { type LaneKind, laneRules, QUICK_LIMIT_MS, SWEEP_MS, TRIAL_LIMIT_MS, UNKNOWN_MS } from './lanes/lane-rules.ts'
import { createLockedStatements } from './lanes/locked-statements.ts'
import { type ConnectedLane, openLanes } from './lanes/open-lanes.ts'
import { createSchedule, type Job } from './lanes/schedule.ts'
import { createSlowdown } from './lanes/slowdown.ts'
import { createStatementTimes, laneKindFor } from './lanes/statement-times.ts'
import type { Reader, ReaderOptions, ReadMoment, ReadOptions } from './reader.ts'
import { Abandoned, isEnded, overloaded, tooManyWaiting } from './reading-errors.ts'
import type { StatementTiming } from './statement-timing.ts'
import { ownStatement, type TextStatement } from './text-channel.ts'
import { checkDriver } from './wire/driver-seam.ts'

interface Reading extends Job<ConnectedLane> {
  readonly statement: TextStatement
  readonly heavy: boolean
  readonly moment: ReadMoment | undefined
  readonly timing: StatementTiming | undefined
  readonly deadline: number
  readonly resolve: (text: string) => void
  readonly reject: (error: Error) => void
  attempts: number
  preemptions: number
  wasPreempted: boolean
  isAbandoned: boolean
}

const positionStatement = ownStatement('wal_position', 'select pg_current_wal_lsn()::text')

/** By default a request may take this much longer than a statement. */
const QUEUE_MS = 1000
const LOOK_EVERY_MS = 250
/** By then, most statements whose client disconnected have finished by themselves. */
const CANCEL_AFTER_MS = 20

const limitMs = { quick: QUICK_LIMIT_MS, trial: TRIAL_LIMIT_MS, slow: 0 } as const

export const createReader = (options: ReaderOptions): Reader => {
  const { targets, log, connections, statementTimeoutMs, rehearsal } = options
  const { deadlineMs = statementTimeoutMs + QUEUE_MS } = options
  checkDriver()
  const unfinished = new Set<Reading>()
  const times = createStatementTimes()
  const slowdown = createSlowdown()
  const accountOf = createAccounts()
  const meter = createLaneMeter()
  const lanes = openLanes({
    targets,
    log,
    quickLanes: connections,
    statementTimeoutMs,
    rehearsal,
    onReady: kind => void schedule.wake(kind),
  })

  /** Removes it from wherever it waits. */
  const withdraw = (reading: Reading): boolean => {
    const { name } = reading.statement
    if (locked.remove(name, reading)) return true
    if (!schedule.withdraw(reading)) return false
    // It may have been the one that looked whether a lock is gone.
    if (locked.has(name)) locked.meet(name, undefined)
    return true
  }

  /** Its deadline has passed, wherever it is. If it is running, nobody waits for its result. */
  const giveUp = (reading: Reading): void => {
    reading.isAbandoned = true
    if (!withdraw(reading)) cancelSlow(reading)
    reading.reject(databaseUnavailable(new Error(`not answered within ${deadlineMs} ms`)))
  }

  const sweep = (): void => {
    const now = performance.now()
    for (const reading of unfinished) if (now > reading.deadline) giveUp(reading)
    lanes.dropSilent()
  }
  const sweeper = setInterval(sweep, SWEEP_MS).unref()

  const retrySeconds = ({ kind }: Reading): number => (kind === 'slow' ? Math.ceil(statementTimeoutMs / 1000) : 1)

  let takingTurns = false

  /** While somebody is waiting for a slow lane. */
  const takeTurns = (): void => {
    if (takingTurns) return
    takingTurns = true
    setTimeout(() => {
      takingTurns = false
      if (schedule.wake('slow') > 0) takeTurns()
    }, LOOK_EVERY_MS).unref()
  }

  const submit = (reading: Reading): void => {
    const submission = schedule.submit(reading)
    if (submission === 'waiting') {
      if (reading.kind === 'slow') takeTurns()
    } else if (submission === 'too many') reading.reject(overloaded(retrySeconds(reading)))
    else if (submission === 'too many of this key') reading.reject(tooManyWaiting(retrySeconds(reading)))
  }

  const submitAgain = (reading: Reading): void => {
    if (reading.kind === 'slow') takeTurns()
    schedule.submitFirst(reading)
  }

  const start = (reading: Reading, { connection }: ConnectedLane): void => {
    reading.attempts += 1
    if (reading.moment !== undefined) reading.moment.point = options.checker?.pointFor(connection.server)
    connection.send(reading.statement, (error, text, ranMs) => finish(reading, error, text, ranMs))
  }

  const finish = (reading: Reading, error: Error | undefined, text: string, ranMs: number): void => {
    const { kind, statement, timing } = reading
    const { name } = statement
    const isOverrun = error !== undefined && kind !== 'slow' && isEnded(error)
    schedule.ended(reading, isOverrun ? Math.max(ranMs, limitMs[kind]) : ranMs)
    meter.ran(kind, ranMs)
    if (timing !== undefined) timing.ranMs += ranMs
    const isLocked = locked.has(name)
    const fate = error === undefined ? undefined : fateOf(reading, { error, ranMs, isLocked, statementTimeoutMs })
    if (isLocked && fate?.kind !== 'waits for a lock') locked.pass(name)
    if (isOverrun) noteOverrun(reading)
    reading.wasPreempted = false
    if (fate === undefined) {
      noteTime(reading, kind, ranMs)
      reading.resolve(text)
    } else carryOn(reading, fate)
  }

  const carryOn = (reading: Reading, fate: Fate): void => {
    if (fate.kind === 'refused') reading.reject(fate.error)
    else if (fate.kind === 'crowded out') reading.reject(overloaded(retrySeconds(reading)))
    else if (fate.kind === 'again') {
      if (fate.free) reading.attempts -= 1
      submitAgain(reading)
    } else if (fate.kind === 'next lane') {
      reading.kind = reading.kind === 'quick' ? 'trial' : 'slow'
      reading.attempts -= 1
      submit(reading)
    } else {
      reading.attempts -= 1
      locked.meet(reading.statement.name, reading.isAbandoned ? undefined : reading)
    }
  }

  const noteOverrun = ({ kind, account, statement }: Reading): void => {
    meter.overran(kind)
    if (kind === 'trial') noteSlow(account, statement.name)
  }

  const noteTime = ({ statement: { name }, account, heavy }: Reading, kind: LaneKind, ranMs: number): void => {
    if (kind !== 'slow') {
      const now = performance.now()
      const least = times.least(name)
      if (Number.isFinite(least)) slowdown.ran(account, ranMs, least, now)
      times.ran(name, ranMs, now)
    } else if (!heavy && ranMs < TRIAL_LIMIT_MS / 2) account.slowNames.delete(name)
  }

  const preempt = (reading: Reading): void => {
    reading.wasPreempted = true
    reading.preemptions += 1
    reading.attempts -= 1
    reading.lane?.connection.cancel()
  }

  const abandon = (reading: Reading): void => {
    reading.isAbandoned = true
    if (withdraw(reading)) reading.reject(new Abandoned())
    else cancelSlow(reading)
  }

  /** Quick and trial lanes have limits so short that cancelling is not worth it. */
  const cancelSlow = (reading: Reading): void => {
    if (reading.kind !== 'slow') return
    const { lane } = reading
    setTimeout(() => reading.lane === lane && lane?.connection.cancel(), CANCEL_AFTER_MS).unref()
  }

  const locked = createLockedStatements<Reading>(submit)

  const schedule = createSchedule<ConnectedLane, Reading>({
    lanesOf: lanes.of,
    now: () => performance.now(),
    start,
    preempt,
    afterTurn: work => void setImmediate(work),
    slowdown: slowdown.at,
    waited: meter.waited,
  })

  /** On a machine that is not busy; undefined for an unknown statement. */
  const expectedOf = (name: string, now: number): number | undefined => {
    const ms = times.expected(name)
    return ms === undefined ? undefined : ms / slowdown.at(now)
  }

  const read = (
    statement: TextStatement,
    { who, abandoned, since, heavy = false, moment, timing }: ReadOptions,
  ): Promise<string> =>
    new Promise((resolve, reject) => {
      const now = performance.now()
      const expected = expectedOf(statement.name, now)
      const account = accountOf(who)
      const reading: Reading = {
        statement,
        heavy,
        moment,
        timing,
        deadline: (since ?? now) + deadlineMs,
        account,
        kind: heavy || account.slowNames.has(statement.name) ? 'slow' : laneKindFor(expected),
        statementMs: expected ?? UNKNOWN_MS,
        leastMs: times.least(statement.name),
        lane: undefined,
        reservedMs: 0,
        startedAt: 0,
        queuedAt: 0,
        attempts: 0,
        preemptions: 0,
        wasPreempted: false,
        isAbandoned: false,
        resolve: text => {
          end()
          resolve(text)
        },
        reject: error => {
          end()
          reject(error)
        },
      }
      const leave = (): void => abandon(reading)
      const end = (): void => {
        unfinished.delete(reading)
        abandoned?.delete(leave)
        if (timing !== undefined) timing.endedAt = performance.now()
      }
      if (timing !== undefined) timing.submittedAt = now
      unfinished.add(reading)
      if (!locked.has(statement.name)) submit(reading)
      else if (locked.length < laneRules.quick.waiting) locked.add(statement.name, reading)
      else reading.reject(overloaded(1))
      // Called immediately if the client is already gone, so there must be something to withdraw or cancel by now.
      abandoned?.add(leave)
    })

  const figuresOf = (kind: LaneKind): LaneFigures => {
    const open = lanes.opened(kind)
    return {
      lanes: open.length,
      ready: open.filter(lane => lane.ready).length,
      running: open.reduce((sum, lane) => sum + lane.running, 0),
      waiting: schedule.waiting(kind),
    }
  }

  return {
    read,
    families: labels => meter.families(labels, figuresOf),
    get ready() {
      return lanes.ready
    },
    pointOnPrimary: () => options.checker?.pointFor(options.checker.epoch?.server),
    position: () => read(positionStatement, { who: '' }),
    failAll: error => {
      for (const reading of unfinished) {
        reading.isAbandoned = true
        withdraw(reading)
        reading.reject(error)
      }
    },
    get checks() {
      return options.checker?.sent ?? 0
    },
    close: async () => {
      clearInterval(sweeper)
      locked.close()
      await Promise.all([lanes.close(), options.checker?.close()])
    },
  }
}
