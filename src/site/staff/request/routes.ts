// Requests of people who want to look after a masjid: one that is listed, or a new one.
import {
  findListed,
  findRequest,
  isTimeZone,
  type ListedMasjid,
  searchListed,
} from '../../../capabilities/masjid-requests.ts'
import { type NewRequest, requestMasjid, withdrawRequest } from '../../../capabilities/send-masjid-request.ts'
import { notFound } from '../../../http/not-found.ts'
import { actorOf } from '../../console/parts.ts'
import { type Answer, redirectTo, showPage } from '../../frame/page-reply.ts'
import type { PageRoutes, SignedInVisit } from '../../frame/page-routes.ts'
import { idIn, REFUSED } from '../form-steps.ts'
import type { StaffParts } from '../staff-parts.ts'
import { checkRequest, emptyRequest, readRequest, wordsFault } from './read-request.ts'
import { claimPage, findPage, registerPage, withdrawPage } from './request-pages.ts'

const SENT = '/staff?done=requested'

const personOf = (visit: SignedInVisit): NewRequest['actor'] => ({ ...actorOf(visit), userId: visit.session.user.id })

const send = (
  { database, baseUrl }: StaffParts,
  visit: SignedInVisit,
  request: Omit<NewRequest, 'actor' | 'baseUrl'>,
) => requestMasjid(database, { ...request, baseUrl, actor: personOf(visit) })

const acceptRegistration = async (parts: StaffParts, visit: SignedInVisit): Promise<Answer> => {
  const values = readRequest(visit.form)
  const checked = checkRequest(values, await isTimeZone(parts.database, values.timezone))
  if ('faults' in checked) return showPage(registerPage(visit.view, values, checked.faults), REFUSED)
  const refused = await send(parts, visit, { words: values.words, details: checked.details })
  return refused === undefined
    ? redirectTo(SENT)
    : showPage(registerPage(visit.view, values, { name: refused }), REFUSED)
}

const showFind = async ({ database }: StaffParts, { view, query }: SignedInVisit): Promise<Answer> => {
  const typed = query.text('q').slice(0, 100)
  return showPage(findPage(view, typed, typed === '' ? [] : await searchListed(database, typed)))
}

const listedIn = async ({ database }: StaffParts, visit: SignedInVisit): Promise<ListedMasjid> => {
  const masjid = await findListed(database, idIn(visit))
  if (masjid === undefined) throw notFound()
  return masjid
}

const acceptClaim = async (parts: StaffParts, visit: SignedInVisit): Promise<Answer> => {
  const masjid = await listedIn(parts, visit)
  const words = visit.form.text('words')
  const faults = wordsFault({ words })
  if (Object.keys(faults).length > 0) return showPage(claimPage(visit.view, masjid, words, faults), REFUSED)
  const refused = await send(parts, visit, { words, masjidId: masjid.id })
  return refused === undefined
    ? redirectTo(SENT)
    : showPage(claimPage(visit.view, masjid, words, { words: refused }), REFUSED)
}

/** Requests of others, and those already decided, cannot be withdrawn. */
const askWithdrawal = async ({ database }: StaffParts, visit: SignedInVisit): Promise<Answer> => {
  const { view, session } = visit
  const request = await findRequest(database, idIn(visit))
  if (request === undefined || request.userId !== session.user.id || request.state !== 'pending') throw notFound()
  return showPage(withdrawPage(view, request))
}

const acceptWithdrawal = async ({ database }: StaffParts, visit: SignedInVisit): Promise<Answer> => {
  if (!(await withdrawRequest(database, { id: idIn(visit), actor: personOf(visit) }))) throw notFound()
  return redirectTo('/staff?done=withdrawn')
}

export const addRequestRoutes = (routes: PageRoutes, parts: StaffParts): void => {
  routes.getSignedIn('/staff/register', ({ view }) => showPage(registerPage(view, emptyRequest)))
  routes.postSignedIn('/staff/register', visit => acceptRegistration(parts, visit))
  routes.getSignedIn('/staff/claim', visit => showFind(parts, visit))
  routes.getSignedIn('/staff/claim/:id', async visit =>
    showPage(claimPage(visit.view, await listedIn(parts, visit), '')),
  )
  routes.postSignedIn('/staff/claim/:id', visit => acceptClaim(parts, visit))
  routes.getSignedIn('/staff/requests/:id/withdraw', visit => askWithdrawal(parts, visit))
  routes.postSignedIn('/staff/requests/:id/withdraw', visit => acceptWithdrawal(parts, visit))
}
