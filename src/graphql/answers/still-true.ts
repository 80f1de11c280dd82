// A kept answer → whether it is what the database would say now, by a check that is sent after the question.
import type { CheckPoint } from '../../db/changes/change-checker.ts'
import { changedAfter, type Epoch, lastChange } from '../../db/changes/epoch.ts'
import type { Reader } from '../../db/reader.ts'
import type { AdmissionStatement } from '../sources/admission-statement.ts'
import type { AnswerSource } from '../sources/read-sources.ts'
import { isAdmitted, MOST_NEWCOMERS, readNewcomers } from './newcomers.ts'

/** What an answer was read from, and when. */
export interface ReadAnswer {
  readonly sources: readonly AnswerSource[]
  /** Reads from the server it was read from, if it can. */
  readonly reader: Reader
  /** Before it was read. */
  readonly point: CheckPoint
  /** The number of the last check that found it true. */
  check: number
}

interface Unknown {
  readonly statement: AdmissionStatement
  readonly masjids: readonly string[]
}

/** Whether it is true, or what must be read to know. */
type Verdict = boolean | readonly Unknown[]

/** None of its own masjids has changed: do others belong to it now? */
const judgeNewcomers = (epoch: Epoch, { table, admissions }: AnswerSource, check: number): Verdict => {
  const changed = admissions.length === 0 ? [] : changedAfter(epoch, table, check)
  if (changed === undefined || changed.length > MOST_NEWCOMERS) return false
  const unknown: Unknown[] = []
  for (const admission of admissions) {
    const admitted = changed.map(masjid => isAdmitted(epoch, table, admission, masjid))
    if (admitted.includes(true)) return false
    const masjids = changed.filter((_, index) => admitted[index] === undefined)
    if (masjids.length > 0) unknown.push({ statement: admission.statement, masjids })
  }
  return unknown.length === 0 || unknown
}

const judge = (epoch: Epoch, { sources, check }: ReadAnswer): Verdict => {
  if (epoch.lastMark <= check) return true
  if (sources.some(source => lastChange(epoch, source) > check)) return false
  const verdicts = sources.map(source => judgeNewcomers(epoch, source, check))
  if (verdicts.includes(false)) return false
  const unknown = verdicts.flatMap(verdict => (typeof verdict === 'boolean' ? [] : verdict))
  return unknown.length === 0 || unknown
}

/** As of a check that is sent now; undefined if there was none, or if it does not tell what this client may expect. */
const checkNow = async ({ checker, epoch }: CheckPoint, position: bigint): Promise<Epoch | undefined> => {
  if (checker.epoch !== epoch || !checker.hasReached(position)) return undefined
  const checked = await checker.check()
  return checked === epoch && checker.hasReached(position) ? epoch : undefined
}

const confirm = (answer: ReadAnswer, { check }: Epoch): true => {
  answer.check = check
  return true
}

export const isStillTrue = async (answer: ReadAnswer, position = 0n): Promise<boolean> => {
  const epoch = await checkNow(answer.point, position)
  if (epoch === undefined) return false
  const verdict = judge(epoch, answer)
  if (typeof verdict === 'boolean') return verdict && confirm(answer, epoch)
  await Promise.all(verdict.map(({ statement, masjids }) => readNewcomers(answer.reader, epoch, statement, masjids)))
  // What was read is from after that check. If it has changed since, it is quicker to read the answer than to go on.
  if ((await checkNow(answer.point, position)) === undefined) return false
  return judge(epoch, answer) === true && confirm(answer, epoch)
}
