// POST to the token endpoint, from Node's server or a plain connection: bytes → form → tokens → response.
import type { Logger } from '../../base/log.ts'
import { withinDeadline } from '../../db/within-deadline.ts'
import type { Entrance, IncomingRequest } from '../../graphql/entrance/transport.ts'
import { readFormPost } from '../../http/form-post.ts'
import { jsonAnswer, type OpenAnswer, openResponse, refusalAnswer } from '../../http/open-response.ts'
import type { TellPosition } from '../../http/tell-position.ts'
import { issueTokens, type TokenParts } from '../../oauth/token.ts'
import { inOauthTerms } from './reply-with-oauth-fault.ts'

export interface TokenEntranceParts {
  readonly token: TokenParts
  readonly deadlineMs: number
  readonly log: Logger
  /** Undefined without replicas. */
  readonly tellPosition: TellPosition | undefined
}

/** RFC 6749 section 5.1: no cache may store a token, or an error returned instead of one. */
const uncached = { pragma: 'no-cache' }

const respond = async (parts: TokenEntranceParts, request: IncomingRequest): Promise<OpenAnswer> => {
  const tokens = await issueTokens(parts.token, readFormPost(request))
  const position = parts.tellPosition === undefined ? undefined : await parts.tellPosition()
  return jsonAnswer(200, JSON.stringify(tokens), { ...uncached, ...position })
}

const refuse = (error: unknown, id: string, log: Logger): OpenAnswer => {
  const answer = refusalAnswer(inOauthTerms(error), { id, log })
  return { ...answer, headers: { ...uncached, ...answer.headers } }
}

export const createTokenEntrance =
  (parts: TokenEntranceParts): Entrance =>
  async request => {
    try {
      return openResponse(request.id, await withinDeadline(parts.deadlineMs, respond(parts, request)))
    } catch (error) {
      return openResponse(request.id, refuse(error, request.id, parts.log))
    }
  }
