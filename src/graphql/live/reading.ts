// Cohorts that have to be read again → read, a few at a time, and their results sent to those who have something else.
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Endpoint } from '../entrance/entrance.ts'
import type { Cohort, Member } from './cohort.ts'
import { createFairRuns } from './fair-runs.ts'
import { type Failure, type ReadResult, readCohorts } from './read-cohort.ts'
import { sendTo } from './send-to.ts'

export interface Reading {
  /** Soon; once for all changes until it begins. */
  readAgain(cohort: Cohort): void
  /** For a member that has nothing yet: a result that is on its way will do. */
  readFirst(cohort: Cohort): void
  /** Members that have used their allowance. */
  readonly late: Set<Member>
  readonly count: number
}

export interface ReadingActions {
  readonly fail: (member: Member, error: unknown) => void
  readonly planAgain: (member: Member) => void
}

const AT_ONCE = 32
const AT_ONCE_EACH = 16
/** Cohorts that one statement reads for: enough to save most of the cost, few enough that nobody waits long for the others. */
const MOST_TOGETHER = 100
/** Then the event loop may do something else. */
const MEMBERS_AT_ONCE = 250
const FIRST_RETRY_MS = 500
const LAST_RETRY_MS = 10_000

export const createReading = (endpoint: Endpoint, { fail, planAgain }: ReadingActions): Reading => {
  const late = new Set<Member>()
  let count = 0

  const readAgain = (cohort: Cohort): void => {
    if (cohort.state === 'reading' || cohort.state === 'sending') cohort.isDirty = true
    if (cohort.state !== 'idle') return
    const [first] = cohort.members
    // A stream waits for its reader: what it reads next is what was not sent yet.
    if (first === undefined || (cohort.operation.batchSize !== undefined && first.isBehind)) return
    cohort.state = 'queued'
    runs.add(first.who, cohort)
  }

  const readFirst = (cohort: Cohort): void => {
    if (cohort.state !== 'reading') readAgain(cohort)
  }

  /** Whoever has nothing yet should know why; the others have what was true, and wait. */
  const isFinal = ({ retry }: Failure, { sent }: Member): boolean =>
    retry === 'never' || (retry === 'later' && sent === undefined)

  const retry = (cohort: Cohort, failure: Failure): void => {
    cohort.failures += 1
    for (const member of [...cohort.members]) if (isFinal(failure, member)) fail(member, failure.error)
    if (failure.retry === 'planned') for (const member of [...cohort.members]) planAgain(member)
    if (cohort.members.size === 0) return
    setTimeout(() => readAgain(cohort), Math.min(FIRST_RETRY_MS * 2 ** cohort.failures, LAST_RETRY_MS)).unref()
  }

  const sendAll = async (cohort: Cohort, read: ReadResult): Promise<void> => {
    cohort.failures = 0
    cohort.fingerprint = read.result.fingerprint
    let tried = 0
    for (const member of [...cohort.members]) {
      if (member.cohort !== cohort) continue
      if (sendTo(endpoint, member, read) === 'unaffordable') late.add(member)
      tried += 1
      if (tried % MEMBERS_AT_ONCE === 0) await nextTurn()
    }
    if (read.isMore) cohort.isDirty = true
  }

  const finish = async (cohort: Cohort, read: ReadResult | Failure): Promise<void> => {
    cohort.state = 'sending'
    if ('error' in read) retry(cohort, read)
    else await sendAll(cohort, read)
    cohort.state = 'idle'
    if (cohort.isDirty) readAgain(cohort)
  }

  const run = async (cohorts: readonly Cohort[]): Promise<void> => {
    for (const cohort of cohorts) {
      cohort.state = 'reading'
      cohort.isDirty = false
      cohort.readAt = performance.now()
    }
    count += 1
    const reads = await readCohorts(endpoint.engine, cohorts)
    await Promise.all(cohorts.map((cohort, index) => finish(cohort, reads[index] as ReadResult | Failure)))
  }

  /** Each stream is at a place of its own. */
  const groupOf = ({ key, operation }: Cohort): string => (operation.batchSize === undefined ? operation.group : key)

  const runs = createFairRuns<Cohort>({
    atOnce: AT_ONCE,
    atOnceEach: AT_ONCE_EACH,
    groupOf,
    mostTogether: MOST_TOGETHER,
    run,
  })

  return {
    readAgain,
    readFirst,
    late,
    get count() {
      return count
    },
  }
}
