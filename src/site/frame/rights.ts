// Wraps a handler so that it refuses everyone but reviewers or administrators before doing anything else.
import type { Answer } from './page-reply.ts'
import { requireAdmin, requireReviewer, type SignedInVisit } from './page-routes.ts'

type Handler = (visit: SignedInVisit) => Promise<Answer> | Answer

export const reviewing =
  (handler: Handler): Handler =>
  visit => {
    requireReviewer(visit)
    return handler(visit)
  }

export const administering =
  (handler: Handler): Handler =>
  visit => {
    requireAdmin(visit)
    return handler(visit)
  }
