import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Account, expectedOf, fade, isWithinShare, newAccount, noteSlow, reserve, settle } from './account.ts'
import { chooseLane, type LaneLoad } from './choose-lane.ts'
import { createFairQueue } from './fair-queue.ts'
import {
  LANE_MS,
  LATE_MS,
  type LaneKind,
  laneRules,
  QUICK_BELOW_MS,
  SLOW_TURN_MS,
  TRIAL_LIMIT_MS,
  UNKNOWN_MS,
} from './lane-rules.ts'
import { createSchedule, type Job, type Lane, type Schedule } from './schedule.ts'
import { createSlowdown } from './slowdown.ts'
import { createStatementTimes, laneKindFor } from './statement-times.ts'

const run = (account: Account, kind: LaneKind, statementMs: number, ranMs: number): void => {
  const reservedMs = expectedOf(account, kind, statementMs)
  reserve(account, kind, reservedMs)
  settle(account, { kind, reservedMs, statementMs, ranMs })
}

describe('statement times', () => {
  test('decide the lane', () => {
    const times = createStatementTimes()
    assert.equal(laneKindFor(times.expected('a')), 'trial')
    times.ran('a', 0.2, 0)
    assert.equal(laneKindFor(times.expected('a')), 'quick')
    for (let count = 0; count < 4; count += 1) times.ran('a', 30, 0)
    assert.equal(laneKindFor(times.expected('a')), 'trial')
    for (let count = 0; count < 6; count += 1) times.ran('a', 1, 0)
    assert.equal(laneKindFor(times.expected('a')), 'quick')
  })

  test('one slow run of a quick statement, on a busy machine, changes nothing', () => {
    const times = createStatementTimes()
    times.ran('a', 0.2, 0)
    times.ran('a', 20, 0)
    assert.equal(laneKindFor(times.expected('a')), 'quick')
  })

  test('know what a statement takes at best, until it has become slower for long', () => {
    const times = createStatementTimes()
    assert.equal(times.least('a'), Number.POSITIVE_INFINITY)
    for (const ms of [4, 0.2, 5, 9]) times.ran('a', ms, 0)
    assert.equal(times.least('a'), 0.2)
    for (let now = 0; now < 1000; now += 2) times.ran('a', 5, now)
    assert.ok(times.least('a') < 1, 'however many runs a busy second has')
    for (let now = 1000; now < 60_000; now += 500) times.ran('a', 5, now)
    assert.ok(times.least('a') > 4)
  })

  test('are kept for a bounded number of names, the most recently used', () => {
    const times = createStatementTimes(10)
    times.ran('kept', 1, 0)
    for (let count = 0; count < 50; count += 1) {
      times.ran(`n${count}`, 1, 0)
      times.expected('kept')
    }
    assert.equal(times.expected('kept'), 1)
    assert.equal(times.expected('n0'), undefined)
  })
})

describe('the slowdown', () => {
  /** Runs of each key in one window, and one more to close it. */
  const after = (runs: readonly (readonly [account: Account, ms: number])[]): number => {
    const slowdown = createSlowdown()
    const [known, first] = [1, newAccount(0)]
    slowdown.ran(first, known, known, 1000)
    for (const [account, ms] of runs) slowdown.ran(account, ms, known, 1150)
    slowdown.ran(first, known, known, 1300)
    return slowdown.at(1300)
  }
  const many = (account: Account, ms: number): [Account, number][] => Array.from({ length: 20 }, () => [account, ms])

  test('is none while statements take up to twice what they take at best', () => {
    assert.equal(createSlowdown().at(0), 1)
    assert.equal(after(many(newAccount(0), 2)), 1)
  })

  test('is what they all take longer, within bounds', () => {
    assert.equal(after([...many(newAccount(0), 6), ...many(newAccount(0), 8)]), 3)
    assert.equal(after(many(newAccount(0), 500)), 8)
  })

  test('is not made by a key whose statements do more work than before, however many', () => {
    const [attacker, other] = [newAccount(0), newAccount(0)]
    assert.equal(after([...many(attacker, 39), ...many(attacker, 39), [other, 1.2]]), 1)
  })

  test('is forgotten when nothing ran for a second', () => {
    const slowdown = createSlowdown()
    const account = newAccount(0)
    for (let now = 0; now < 500; now += 10) slowdown.ran(account, 8, 1, now)
    assert.equal(slowdown.at(500), 4)
    assert.equal(slowdown.at(2000), 1)
  })
})

describe('an account', () => {
  test('is charged the measured time, not the reserved one, and decays by half in five seconds', () => {
    const account = newAccount(0)
    reserve(account, 'slow', 100)
    assert.equal(account.usedMs, 100)
    settle(account, { kind: 'slow', reservedMs: 100, statementMs: 100, ranMs: 4000 })
    assert.equal(account.usedMs, 4000)
    fade(account, 5000)
    assert.equal(Math.round(account.usedMs), 2000)
    assert.equal(account.slow.running, 0)
  })

  test('whose statements run longer than expected reserves more, and may fill all lanes but one', () => {
    const account = newAccount(0)
    for (let count = 0; count < 8; count += 1) run(account, 'trial', UNKNOWN_MS, TRIAL_LIMIT_MS)
    const ms = expectedOf(account, 'trial', UNKNOWN_MS)
    assert.ok(ms > LANE_MS, `${ms} ms: a lane for itself`)
    assert.ok(isWithinShare(account, 'trial', ms, 2))
    reserve(account, 'trial', ms)
    assert.ok(!isWithinShare(account, 'trial', ms, 2), 'the second lane is for others')
    assert.ok(isWithinShare(account, 'quick', expectedOf(account, 'quick', 1), 4), 'quick statements are as before')
  })

  test('whose statements are late because the machine is busy is not limited', () => {
    const account = newAccount(0)
    fade(account, 60_000)
    for (let count = 0; count < 200; count += 1) {
      reserve(account, 'quick', 2)
      settle(account, { kind: 'quick', reservedMs: 2, statementMs: 2, ranMs: 16, slowdown: 8 })
    }
    assert.ok(expectedOf(account, 'quick', 2) < 2.5)
    assert.ok(account.usedMs > 3000, 'but it is charged for the time')
  })

  test('whose statements are as expected is not limited', () => {
    const account = newAccount(0)
    for (let count = 0; count < 200; count += 1) run(account, 'quick', 0.1, 0.1)
    for (let count = 0; count < 64; count += 1) reserve(account, 'quick', expectedOf(account, 'quick', 0.1))
    assert.ok(isWithinShare(account, 'quick', expectedOf(account, 'quick', 0.1), 4))
  })

  test('remembers a bounded number of its slow statements', () => {
    const account = newAccount(0)
    for (let count = 0; count < 500; count += 1) noteSlow(account, `n${count}`)
    assert.ok(account.slowNames.size <= 100)
    assert.ok(account.slowNames.has('n499'))
  })

  test('is trusted again after a while', () => {
    const account = newAccount(0)
    for (let count = 0; count < 8; count += 1) run(account, 'quick', 0.1, 25)
    assert.ok(expectedOf(account, 'quick', 0.1) > LANE_MS / 2)
    fade(account, 60_000)
    assert.ok(expectedOf(account, 'quick', 0.1) < 1)
  })
})

describe('the choice of a lane', () => {
  const lane = (changes: Partial<LaneLoad> = {}): LaneLoad => ({
    ready: true,
    running: 0,
    reservedMs: 0,
    headSince: 0,
    ...changes,
  })
  const asked = { ms: 1, depth: 4, now: 1000, slowdown: 1 }

  test('takes the least loaded one', () => {
    const [busy, less] = [
      lane({ running: 2, reservedMs: 5, headSince: 999 }),
      lane({ running: 1, reservedMs: 2, headSince: 999 }),
    ]
    assert.equal(chooseLane([busy, less], asked), less)
  })

  test('takes none that is lost, full or blocked', () => {
    const lanes = [
      lane({ ready: false }),
      lane({ running: 4, reservedMs: 1, headSince: 999 }),
      lane({ running: 1, reservedMs: LANE_MS, headSince: 999 }),
      lane({ running: 1, reservedMs: 1, headSince: 1000 - LATE_MS }),
    ]
    assert.equal(chooseLane(lanes, asked), undefined)
  })

  test('is as patient with a lane as the machine is busy', () => {
    const late = lane({ running: 1, reservedMs: 1, headSince: 1000 - LATE_MS })
    assert.equal(chooseLane([late], { ...asked, slowdown: 3 }), late)
    const later = lane({ running: 1, reservedMs: 1, headSince: 1000 - LATE_MS * 3 })
    assert.equal(chooseLane([later], { ...asked, slowdown: 3 }), undefined)
  })

  test('gives an idle lane to any statement', () => {
    const idle = lane()
    assert.equal(chooseLane([idle], { ...asked, ms: 5000 }), idle)
  })
})

describe('the fair queue', () => {
  const item = (account: Account, name: string) => ({ account, name })

  test('serves the key that used the least first, each key in order', () => {
    const queue = createFairQueue<ReturnType<typeof item>>()
    const [much, little] = [newAccount(0), newAccount(0)]
    much.usedMs = 100
    for (const one of [item(much, 'm1'), item(much, 'm2'), item(little, 'l1')]) queue.push(one)
    const order: string[] = []
    for (let next = queue.first(0, () => true); next !== undefined; next = queue.first(0, () => true)) {
      order.push(next.name)
      queue.remove(next)
      next.account.usedMs += 60
    }
    assert.deepEqual(order, ['l1', 'm1', 'm2'])
    assert.equal(queue.length, 0)
  })

  test('skips keys that must wait', () => {
    const queue = createFairQueue<ReturnType<typeof item>>()
    const [one, other] = [newAccount(0), newAccount(0)]
    queue.push(item(one, 'one'))
    queue.push(item(other, 'other'))
    assert.equal(queue.first(0, ({ account }) => account !== one)?.name, 'other')
  })
})

/** Its statements have always taken as long as expected. */
const trusted = (): Account => {
  const account = newAccount(0)
  account.quick.surpriseMs = 0
  return account
}

interface TestJob extends Job<Lane & { name: string }> {
  readonly name: string
}

describe('the schedule', () => {
  const setUp = (): {
    schedule: Schedule<TestJob>
    started: string[]
    preempted: TestJob[]
    clock: { now: number }
    job: (account: Account, name: string, kind?: LaneKind, ms?: number, leastMs?: number) => TestJob
  } => {
    const lanes = (kind: LaneKind, count: number) =>
      Array.from({ length: count }, (_, index) => ({
        name: `${kind}${index}`,
        ready: true,
        running: 0,
        reservedMs: 0,
        headSince: 0,
      }))
    const all = { quick: lanes('quick', 2), trial: lanes('trial', 2), slow: lanes('slow', 2) }
    const started: string[] = []
    const preempted: TestJob[] = []
    const clock = { now: 0 }
    const schedule = createSchedule<Lane & { name: string }, TestJob>({
      lanesOf: kind => all[kind],
      now: () => clock.now,
      start: ({ name }) => started.push(name),
      preempt: job => preempted.push(job),
      afterTurn: () => undefined,
      slowdown: () => 1,
    })
    const job = (account: Account, name: string, kind: LaneKind = 'trial', ms = UNKNOWN_MS, leastMs = ms): TestJob => ({
      account,
      name,
      kind,
      statementMs: ms,
      leastMs,
      lane: undefined,
      reservedMs: 0,
      startedAt: 0,
    })
    return { schedule, started, preempted, clock, job }
  }

  test('starts a statement at once if there is room', () => {
    const { schedule, started, job } = setUp()
    assert.equal(schedule.submit(job(newAccount(0), 'a', 'quick', QUICK_BELOW_MS / 10)), 'started')
    assert.deepEqual(started, ['a'])
  })

  test('sends the short statements of one turn over one lane, so that they leave in one packet', () => {
    const { schedule, job } = setUp()
    const jobs = [1, 2, 3].map(number => job(trusted(), `${number}`, 'quick', 0.2))
    for (const one of jobs) schedule.submit(one)
    assert.equal(new Set(jobs.map(({ lane }) => lane?.name)).size, 1)
  })

  test('keeps those together that are short only at best, apart from other keys', () => {
    const { schedule, job } = setUp()
    const [one, other] = [trusted(), trusted()]
    const own = [1, 2].map(number => job(one, `${number}`, 'quick', 3, 0.2))
    const others = job(other, 'other', 'quick', 3, 0.2)
    for (const each of [...own, others]) schedule.submit(each)
    assert.equal(own[0]?.lane?.name, own[1]?.lane?.name)
    assert.notEqual(others.lane?.name, own[0]?.lane?.name)
  })

  test('makes nobody wait for a key that has had its share', () => {
    const { schedule, started, job } = setUp()
    const [attacker, other] = [newAccount(0), newAccount(0)]
    for (let count = 0; count < 8; count += 1) run(attacker, 'trial', UNKNOWN_MS, TRIAL_LIMIT_MS)
    for (let count = 0; count < 8; count += 1) schedule.submit(job(attacker, `attack ${count}`))
    assert.deepEqual(started, ['attack 0'])
    assert.equal(schedule.submit(job(other, 'other')), 'started')
  })

  test('gives a freed lane to the key that used less, whoever came first', () => {
    const { schedule, started, job } = setUp()
    const [one, other] = [newAccount(0), newAccount(0)]
    const running = [job(one, 'one 1', 'slow'), job(one, 'one 2', 'slow')]
    for (const first of [...running, job(one, 'one 3', 'slow')]) schedule.submit(first)
    schedule.submit(job(other, 'other', 'slow'))
    schedule.ended(running[0] as TestJob, 4000)
    assert.deepEqual(started, ['one 1', 'one 2', 'other'])
  })

  test('takes a slow lane back from a key that has several, once', () => {
    const { schedule, started, preempted, job } = setUp()
    const [one, other, third] = [newAccount(0), newAccount(0), newAccount(0)]
    const [first, second] = [job(one, 'one 1', 'slow'), job(one, 'one 2', 'slow')]
    schedule.submit(first)
    schedule.submit(second)
    schedule.submit(job(other, 'other', 'slow'))
    schedule.submit(job(third, 'third', 'slow'))
    assert.deepEqual(preempted, [second])
    schedule.ended(second, 10)
    schedule.submitFirst(second)
    assert.deepEqual(started, ['one 1', 'one 2', 'other'])
    assert.deepEqual(preempted, [second], 'each has one now, and nobody more than a share')
    schedule.ended(first, 10)
    assert.equal(started.at(-1), 'third')
  })

  test('cancels a slow statement that had its turn, for a key that used less', () => {
    const { schedule, preempted, clock, job } = setUp()
    const [one, other, third] = [newAccount(0), newAccount(0), newAccount(0)]
    one.usedMs = 9000
    other.usedMs = 5000
    schedule.submit(job(one, 'one', 'slow'))
    schedule.submit(job(other, 'other', 'slow'))
    schedule.submit(job(third, 'third', 'slow'))
    assert.deepEqual(preempted, [], 'each has had less than a turn')
    clock.now = SLOW_TURN_MS
    schedule.wake('slow')
    assert.deepEqual(
      preempted.map(({ name }) => name),
      ['one'],
    )
  })

  test('bounds the queue, per key and in total', () => {
    const { schedule, job } = setUp()
    const { waiting, waitingPerKey } = laneRules.slow
    const submit = (account: Account, count: number): string[] =>
      Array.from({ length: count }, () => schedule.submit(job(account, 'x', 'slow')))
    assert.equal(submit(newAccount(0), waitingPerKey + 3).at(-1), 'too many of this key')
    for (let taken = waitingPerKey; taken < waiting; taken += waitingPerKey) submit(newAccount(0), waitingPerKey)
    assert.equal(submit(newAccount(0), 1).at(-1), 'too many')
  })

  test('drops a withdrawn statement, and starts the next', () => {
    const { schedule, started, job } = setUp()
    const account = newAccount(0)
    const running = [job(account, '1', 'slow'), job(account, '2', 'slow')]
    const waiting = [job(account, '3', 'slow'), job(account, '4', 'slow')]
    for (const one of [...running, ...waiting]) schedule.submit(one)
    assert.ok(schedule.withdraw(waiting[0] as TestJob))
    assert.ok(!schedule.withdraw(running[0] as TestJob))
    schedule.ended(running[0] as TestJob, 1)
    assert.deepEqual(started, ['1', '2', '4'])
  })
})
