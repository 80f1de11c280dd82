// A kept answer → whether it is what the database would say now, by a check that is sent after the question.
import type { CheckPoint } from '../../db/changes/change-checker.ts'
import { changedAfter, type Epoch, lastChange } from '../../db/changes/epoch.ts'
import type { Reader } from '../../db/reader.ts'
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

/** `true`, `false`, or what must be read to know. */
type Verdict = boolean | (() => Promise<void>)

/** None of its own masjids has changed: do others belong to it now? */
const judgeNewcomers = (epoch: Epoch, { table, admissions }: AnswerSource, { reader, check }: ReadAnswer): Verdict => {
  const changed = changedAfter(epoch, table, check)
  if (changed === undefined || changed.length > MOST_NEWCOMERS) return false
  for (const admission of admissions) {
    const admitted = changed.map(masjid => isAdmitted(epoch, table, admission, masjid))
    if (admitted.includes(true)) return false
    const unknown = changed.filter((_, index) => admitted[index] === undefined)
    if (unknown.length > 0) return () => readNewcomers(reader, epoch, admission.statement, unknown)
  }
  return true
}

const judge = (epoch: Epoch, answer: ReadAnswer): Verdict => {
  const { sources, check } = answer
  if (epoch.lastMark <= check) return true
  if (sources.some(source => lastChange(epoch, source) > check)) return false
  for (const source of sources) {
    const verdict = source.admissions.length === 0 || judgeNewcomers(epoch, source, answer)
    if (verdict !== true) return verdict
  }
  return true
}

/** One list may need one reading, and what was read may have changed in the meantime: then it is quicker to read the answer. */
const MOST_READINGS = 2

export const isStillTrue = async (answer: ReadAnswer, position = 0n): Promise<boolean> => {
  const { checker, epoch } = answer.point
  for (let readings = 0; readings <= MOST_READINGS; readings += 1) {
    if (checker.epoch !== epoch || !checker.hasReached(position)) return false
    const checked = await checker.check()
    if (checked !== epoch || !checker.hasReached(position)) return false
    const verdict = judge(epoch, answer)
    if (verdict === true) answer.check = epoch.check
    if (typeof verdict === 'boolean') return verdict
    await verdict()
  }
  return false
}
