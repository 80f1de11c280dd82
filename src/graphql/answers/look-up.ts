// A request → what is kept for it, and where it is noted how a fresh answer was read.
import type { Grant } from '../../access/grant.ts'
import type { MediaType } from '../entrance/media-type.ts'
import type { IncomingRequest } from '../entrance/transport.ts'
import type { Structure } from '../structure.ts'
import { answerKey } from './answer-key.ts'
import type { AnswerMoment } from './answer-moment.ts'
import type { Answers, FoundAnswer } from './answers.ts'

export interface LookedUp {
  readonly key: string
  readonly structure: Structure
  readonly found: FoundAnswer | undefined
  /** Undefined if a fresh answer is not kept: it is the first of its kind, or explains itself. */
  readonly moment: AnswerMoment | undefined
}

export interface Looking {
  readonly request: IncomingRequest
  readonly grant: Grant
  readonly media: MediaType
  readonly structure: Structure
}

export const lookUp = (
  answers: Answers | undefined,
  { request, grant, media, structure }: Looking,
): LookedUp | undefined => {
  const key = answers === undefined ? undefined : answerKey(request, grant, media)
  if (answers === undefined || key === undefined) return undefined
  const found = answers.find(key, structure)
  const isKept = request.headers['x-minaret-explain'] === undefined && answers.isWanted(key)
  return { key, structure, found, moment: isKept ? { point: undefined, values: [] } : undefined }
}
