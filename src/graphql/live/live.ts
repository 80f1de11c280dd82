// Subscriptions → results, sent when something they read has changed. A change is found in the change log, the cohorts that it concerns are
// read again, and whoever was sent something else before is sent the result.
import { randomUUID } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { toFault } from '../../base/to-fault.ts'
import type { ChangeListener } from '../../db/changes/watch-changes.ts'
import { withinDeadline } from '../../db/within-deadline.ts'
import { chargeOf } from '../entrance/charge-operations.ts'
import type { Endpoint } from '../entrance/entrance.ts'
import { type Refusal, refusalOf } from '../errors.ts'
import { createAdmission, type LiveRules } from './admission.ts'
import type { Cohort, Member } from './cohort.ts'
import { createCohorts } from './cohorts.ts'
import { createMember, type Opening } from './create-member.ts'
import { keptRequest } from './kept-request.ts'
import { createReading } from './reading.ts'
import { createSessions, type SessionHolder, type Sessions } from './sessions.ts'

export interface Subscription {
  /** The reader can take more. */
  resume(): void
  end(): void
}

export interface Live {
  readonly sessions: Sessions
  readonly rules: LiveRules
  /** The first result follows. @throws like a query, and {Fault} `too-many-subscriptions`. */
  open(opening: Opening): Subscription
  /** How many are open, and how often something was read for them. */
  readonly counts: { readonly open: number; readonly cohorts: number; readonly reads: number }
  close(): void
}

const LOOK_MS = 500
/** What changes without a trace is read again after this time. */
const TIMELY_MS = 60_000
/** Those who have used their allowance are tried again. */
const LATE_MS = 1000

interface Held {
  readonly holder: SessionHolder
  /** Gives its place back. */
  readonly release: () => void
}

export const createLive = (endpoint: Endpoint, rules: LiveRules): Live => {
  const { engine, telling } = endpoint
  const { log } = telling
  const sessions = createSessions(endpoint.credentials)
  const admission = createAdmission(rules)
  const cohorts = createCohorts(engine)
  const held = new WeakMap<Member, Held>()
  let structure = engine.structures.current()
  let timer: NodeJS.Timeout | undefined
  let lateAt = 0

  const end = (member: Member): void => {
    const known = held.get(member)
    if (known === undefined) return
    held.delete(member)
    cohorts.leave(member)
    reading.late.delete(member)
    member.session.release(known.holder)
    known.release()
    if (admission.open === 0) sleep()
  }

  const fail = (member: Member, error: unknown): void => {
    if (!held.has(member)) return
    end(member)
    const refusal = refusalOf(error) ?? (refusalOf(toFault(error, { id: member.id, log })) as Refusal)
    log.debug({ id: member.id, reason: refusal.errors[0]?.extensions.code }, 'a subscription was ended')
    member.sink.fail(refusal)
  }

  const planAgain = (member: Member): void => {
    if (member.cohort === undefined) return
    try {
      reading.readAgain(cohorts.join(member))
    } catch (error) {
      fail(member, error)
    }
  }

  const reading = createReading(endpoint, { fail, planAgain })

  const resume = (member: Member): void => {
    const { cohort } = member
    if (cohort === undefined || !member.isBehind) return
    member.isBehind = false
    if (cohort.operation.batchSize !== undefined || cohort.fingerprint !== member.sent) reading.readAgain(cohort)
  }

  const planAllAgain = async (): Promise<void> => {
    structure = engine.structures.current()
    for (const cohort of cohorts.all()) {
      for (const member of [...cohort.members]) planAgain(member)
      await nextTurn()
    }
  }

  const readAllAgain = (): void => {
    for (const cohort of cohorts.all()) reading.readAgain(cohort)
  }

  const followStructure = async (): Promise<void> => {
    await engine.structures.reload().catch(error => log.warn({ err: error }, 'the structure could not be read'))
    await planAllAgain()
    // Policies may have changed, which no statement shows.
    readAllAgain()
  }

  const listener: ChangeListener = {
    onChanges: changed => {
      for (const [table, masjids] of changed)
        for (const cohort of cohorts.concerned(table, masjids)) reading.readAgain(cohort)
    },
    onStructure: () => void followStructure(),
    onGap: readAllAgain,
  }

  const tryLate = (): void => {
    const members = [...reading.late]
    reading.late.clear()
    for (const member of members) resume(member)
  }

  const isDue = ({ operation, readAt }: Cohort, now: number): boolean => operation.timely && now - readAt > TIMELY_MS

  const look = (): void => {
    const now = performance.now()
    sessions.check()
    if (engine.structures.current() !== structure) void planAllAgain()
    for (const cohort of cohorts.all()) if (isDue(cohort, now)) reading.readAgain(cohort)
    if (now - lateAt < LATE_MS) return
    lateAt = now
    tryLate()
  }

  const wake = (): Promise<void> => {
    timer ??= setInterval(look, LOOK_MS).unref()
    return withinDeadline(engine.deadlineMs, engine.changes.start(listener))
  }

  const sleep = (): void => {
    clearInterval(timer)
    timer = undefined
    engine.changes.stop()
  }

  /** Nothing is read before every later change would be noticed. */
  const begin = (member: Member): void => {
    wake().then(
      () => member.cohort !== undefined && reading.readFirst(member.cohort),
      error => fail(member, error),
    )
  }

  const join = (member: Member): void => {
    try {
      const { plan } = cohorts.join(member).operation.prepared.cached
      member.allowance?.take(chargeOf(plan))
    } catch (error) {
      cohorts.leave(member)
      throw error
    }
  }

  /** What stays in memory as long as the subscription is made here, so that no function that it keeps has seen the whole request. */
  const admit = (opening: Opening, release: () => void): Member => {
    try {
      const request = keptRequest(engine.structures.current(), opening.request, opening.session.grant)
      const member = createMember(endpoint, { ...opening, request }, randomUUID())
      join(member)
      return member
    } catch (error) {
      release()
      throw error
    }
  }

  const hold = (member: Member, release: () => void): void => {
    const holder: SessionHolder = {
      onGrant: () => planAgain(member),
      onConfirmed: () => resume(member),
      onEnd: fault => fail(member, fault),
    }
    held.set(member, { holder, release })
    member.session.hold(holder)
  }

  return {
    sessions,
    rules,
    open: opening => {
      endpoint.admission.keyLimits.take(opening.session.grant)
      const release = admission.admit(opening.session, opening.address)
      const member = admit(opening, release)
      hold(member, release)
      begin(member)
      return { resume: () => resume(member), end: () => end(member) }
    },
    get counts() {
      return { open: admission.open, cohorts: cohorts.size, reads: reading.count }
    },
    close: sleep,
  }
}
