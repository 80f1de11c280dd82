// Administrators look through masjids, and say which they have verified.
import { isUuid } from '../../../base/uuid.ts'
import { listMasjids } from '../../../capabilities/list-masjids.ts'
import { verifications, verifyMasjid } from '../../../capabilities/verify-masjid.ts'
import { notFound } from '../../../http/not-found.ts'
import { actorOf, type ConsoleParts, parameterOf } from '../../console/parts.ts'
import { type Answer, redirectTo, showPage } from '../../frame/page-reply.ts'
import type { PageRoutes, SignedInVisit } from '../../frame/page-routes.ts'
import { administering } from '../../frame/rights.ts'
import { MASJIDS_PATH, masjidsPage } from './masjids-page.ts'

const verificationIn = (text: string) => verifications.find(name => name === text)

const show = async ({ database }: ConsoleParts, { view, query }: SignedInVisit): Promise<Answer> => {
  const wish = {
    words: query.text('q').slice(0, 200),
    verification: verificationIn(query.text('state')),
    after: query.text('after'),
  }
  const done = query.text('done') === 'yes' ? view.texts.adminMasjids.done : undefined
  return showPage(masjidsPage(view, { ...wish, ...(await listMasjids(database, wish)), done }))
}

const accept = async ({ database }: ConsoleParts, visit: SignedInVisit): Promise<Answer> => {
  const masjidId = parameterOf(visit, 'id')
  const verification = verificationIn(visit.form.text('verification'))
  if (!isUuid(masjidId) || verification === undefined) throw notFound()
  if (!(await verifyMasjid(database, { masjidId, verification, actor: actorOf(visit) }))) throw notFound()
  return redirectTo(`${MASJIDS_PATH}?done=yes`)
}

export const addAdminMasjidRoutes = (routes: PageRoutes, parts: ConsoleParts): void => {
  routes.getSignedIn(
    MASJIDS_PATH,
    administering(visit => show(parts, visit)),
  )
  routes.postSignedIn(
    `${MASJIDS_PATH}/:id/verification`,
    administering(visit => accept(parts, visit)),
  )
}
