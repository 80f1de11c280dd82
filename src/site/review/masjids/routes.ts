// The review desk's decisions about masjids: who may look after one, and which are registered.
import { isUuid } from '../../../base/uuid.ts'
import { approveMasjidRequest, rejectMasjidRequest } from '../../../capabilities/decide-masjid-request.ts'
import { findRequest, listRequests, type MasjidRequest } from '../../../capabilities/masjid-requests.ts'
import { notFound } from '../../../http/not-found.ts'
import { actorOf, type ConsoleParts, parameterOf, refusalOf } from '../../console/parts.ts'
import { type Answer, redirectTo, showPage } from '../../frame/page-reply.ts'
import type { PageRoutes, SignedInVisit } from '../../frame/page-routes.ts'
import { reviewing } from '../../frame/rights.ts'
import { requestPage, requestsPage } from './pages.ts'

const requestIn = async ({ database }: ConsoleParts, visit: SignedInVisit): Promise<MasjidRequest> => {
  const id = parameterOf(visit, 'id')
  const request = isUuid(id) ? await findRequest(database, id) : undefined
  if (request === undefined) throw notFound()
  return request
}

const showRequests = async ({ database }: ConsoleParts, { view, query }: SignedInVisit): Promise<Answer> => {
  const { done } = view.texts.masjidRequest.review
  const said = query.text('done')
  return showPage(
    requestsPage(
      view,
      await listRequests(database),
      Object.hasOwn(done, said) ? done[said as keyof typeof done] : undefined,
    ),
  )
}

const decidingOn = (parts: ConsoleParts, visit: SignedInVisit, id: string, words: string) => ({
  id,
  words: words.slice(0, 2000),
  actor: { ...actorOf(visit), userId: visit.session.user.id },
  baseUrl: parts.baseUrl,
})

/** Another reviewer was faster, it is the reviewer's own, or it cannot be approved. */
const refused = async (parts: ConsoleParts, visit: SignedInVisit, error: unknown): Promise<Answer> => {
  refusalOf(error)
  const { meanwhile, obstacles } = visit.view.texts.masjidRequest.review
  const request = await requestIn(parts, visit)
  const isOpen = request.state === 'pending' && request.obstacle !== null
  const refusal = isOpen ? obstacles[request.obstacle] : meanwhile
  return showPage(requestPage(visit.view, { request, refusal }), { status: 409 })
}

const approve = async (parts: ConsoleParts, visit: SignedInVisit): Promise<Answer> => {
  const { id } = await requestIn(parts, visit)
  try {
    await approveMasjidRequest(parts.database, decidingOn(parts, visit, id, visit.form.text('words')))
  } catch (error) {
    return refused(parts, visit, error)
  }
  return redirectTo('/review/masjids?done=approved')
}

const reject = async (parts: ConsoleParts, visit: SignedInVisit): Promise<Answer> => {
  const request = await requestIn(parts, visit)
  const reason = visit.form.text('reason')
  const { reasonMissing } = visit.view.texts.masjidRequest.review
  if (reason === '') return showPage(requestPage(visit.view, { request, fault: reasonMissing }), { status: 422 })
  try {
    await rejectMasjidRequest(parts.database, decidingOn(parts, visit, request.id, reason))
  } catch (error) {
    return refused(parts, visit, error)
  }
  return redirectTo('/review/masjids?done=rejected')
}

export const addReviewMasjidRoutes = (routes: PageRoutes, parts: ConsoleParts): void => {
  routes.getSignedIn(
    '/review/masjids',
    reviewing(visit => showRequests(parts, visit)),
  )
  routes.getSignedIn(
    '/review/masjids/:id',
    reviewing(async visit => showPage(requestPage(visit.view, { request: await requestIn(parts, visit) }))),
  )
  routes.postSignedIn(
    '/review/masjids/:id/approve',
    reviewing(visit => approve(parts, visit)),
  )
  routes.postSignedIn(
    '/review/masjids/:id/reject',
    reviewing(visit => reject(parts, visit)),
  )
}
