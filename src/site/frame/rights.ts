// A handler for reviewers or administrators only → one that refuses everybody else before it looks at anything.
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
