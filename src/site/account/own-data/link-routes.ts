// A person's answer to a link between their account and a member of a masjid.
import { isUuid } from '../../../base/uuid.ts'
import { notFound } from '../../../http/not-found.ts'
import { acceptLink, declineLink } from '../../../people/member-links.ts'
import { actorOf, parameterOf } from '../../console/parts.ts'
import { type Answer, redirectTo } from '../../frame/page-reply.ts'
import type { PageRoutes, SignedInVisit } from '../../frame/page-routes.ts'
import type { AccountParts } from '../../sign-in/account-parts.ts'

/** @throws {Fault} `not_found` */
const answered = (visit: SignedInVisit) => {
  const memberId = parameterOf(visit, 'id')
  if (!isUuid(memberId)) throw notFound()
  return { memberId, actor: actorOf(visit) }
}

const accept = async ({ accounts }: AccountParts, visit: SignedInVisit): Promise<Answer> => {
  const outcome = await acceptLink(accounts.database, answered(visit))
  if (outcome === 'none') throw notFound()
  return redirectTo(`/account/data?done=${outcome}`)
}

const decline = async ({ accounts }: AccountParts, visit: SignedInVisit): Promise<Answer> => {
  if (!(await declineLink(accounts.database, answered(visit)))) throw notFound()
  return redirectTo('/account/data?done=declined')
}

export const addLinkRoutes = (routes: PageRoutes, parts: AccountParts): void => {
  routes.postSignedIn('/account/data/links/:id/accept', visit => accept(parts, visit))
  routes.postSignedIn('/account/data/links/:id/decline', visit => decline(parts, visit))
}
