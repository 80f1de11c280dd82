// How an answer was read: what is noted while an operation is executed, for those who keep the answer.
import type { ReadMoment } from '../../db/reader.ts'

export interface AnswerMoment extends ReadMoment {
  values: readonly (string | null)[]
}
