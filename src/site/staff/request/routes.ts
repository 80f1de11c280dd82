// Requests of people who want to look after a masjid: one that is listed, or a new one.
import {
  findListed,
  isTimeZone,
  type ListedMasjid,
  type NewRequest,
  requestMasjid,
  searchListed,
} from '../../../capabilities/masjid-requests.ts'
import { notFound } from '../../../http/not-found.ts'
import { actorOf } from '../../console/parts.ts'
import { type Answer, redirectTo, showPage } from '../../frame/page-reply.ts'
import type { PageRoutes, SignedInVisit } from '../../frame/page-routes.ts'
import { idIn, REFUSED } from '../form-steps.ts'
import type { StaffParts } from '../staff-parts.ts'
import { checkRequest, emptyRequest, readRequest, wordsFault } from './read-request.ts'
import { claimPage, findPage, registerPage } from './request-pages.ts'

const SENT = '/staff?done=requested'

const send = ({ database }: StaffParts, visit: SignedInVisit, request: Omit<NewRequest, 'actor'>) =>
  requestMasjid(database, { ...request, actor: { ...actorOf(visit), userId: visit.session.user.id } })

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

export const addRequestRoutes = (routes: PageRoutes, parts: StaffParts): void => {
  routes.getSignedIn('/staff/register', ({ view }) => showPage(registerPage(view, emptyRequest)))
  routes.postSignedIn('/staff/register', visit => acceptRegistration(parts, visit))
  routes.getSignedIn('/staff/claim', visit => showFind(parts, visit))
  routes.getSignedIn('/staff/claim/:id', async visit =>
    showPage(claimPage(visit.view, await listedIn(parts, visit), '')),
  )
  routes.postSignedIn('/staff/claim/:id', visit => acceptClaim(parts, visit))
}
