// A request → what is kept for it, and where it is noted how a fresh answer was read.
import type { Structure } from '../structure.ts'
import { type Asker, answerKey, askedOf } from './answer-key.ts'
import type { AnswerMoment } from './answer-moment.ts'
import type { Answers, FoundAnswer } from './answers.ts'

export interface LookedUp {
  readonly key: string
  readonly structure: Structure
  readonly found: FoundAnswer | undefined
  /** Undefined if a fresh answer is not kept: whoever asks for explanations changes nothing. */
  readonly moment: AnswerMoment | undefined
}

export interface Looking extends Asker {
  readonly structure: Structure
}

/** Undefined for the first request of its kind too: nothing can be kept for it, and its answer is not worth keeping. */
export const lookUp = (answers: Answers | undefined, looking: Looking): LookedUp | undefined => {
  const asked = answers === undefined ? undefined : askedOf(looking.request)
  if (answers === undefined || asked === undefined) return undefined
  const explains = looking.request.headers['x-minaret-explain'] !== undefined
  if (!answers.isWanted(asked, explains)) return undefined
  const { structure } = looking
  const key = answerKey(asked, looking)
  const found = answers.find(key, structure)
  return { key, structure, found, moment: explains ? undefined : { point: undefined, values: [] } }
}
