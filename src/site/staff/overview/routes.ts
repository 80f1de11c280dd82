// /staff, the masjids somebody looks after, and the first page of each.

import { listRequestsOf } from '../../../capabilities/masjid-requests.ts'
import { findStaffedMasjids } from '../../../capabilities/staffed-masjids.ts'
import { type Answer, redirectTo, showPage } from '../../frame/page-reply.ts'
import type { PageRoutes, SignedInVisit } from '../../frame/page-routes.ts'
import { read } from '../ask.ts'
import { atMasjid, type StaffVisit } from '../at-masjid.ts'
import { doneWords } from '../form-steps.ts'
import { staffPath } from '../sections.ts'
import type { StaffParts } from '../staff-parts.ts'
import { masjidsPage } from './masjids-page.ts'
import { overviewPage, type TimeToday } from './overview-page.ts'

const showMasjids = async ({ database }: StaffParts, visit: SignedInVisit): Promise<Answer> => {
  const { view, session, query } = visit
  const { id: userId, isAdmin } = session.user
  const words = query.text('q').slice(0, 100)
  const masjids = await findStaffedMasjids(database, { userId, isAdmin }, { words })
  const { sent, withdrawn } = view.texts.masjidRequest
  const { words: done } = doneWords(visit, { requested: sent, withdrawn })
  const stays = done !== undefined || query.text('all') !== ''
  const [only] = masjids
  if (only !== undefined && masjids.length === 1 && !isAdmin && words === '' && !stays)
    return redirectTo(staffPath(only))
  const requests = await listRequestsOf(database, userId)
  return showPage(masjidsPage(view, { masjids, words, searchable: isAdmin, requests, done }))
}

const TODAY = `query Today($masjid: uuid!) {
  times: pc_prayer_times_today(args: {masjid_id: $masjid}, order_by: [{adhan_at: asc_nulls_last}, {session: asc}]) {
    prayer session label adhan_local iqamah_local
  }
}`

const showOverview = async ({ graphql }: StaffParts, { visit, masjid }: StaffVisit): Promise<Answer> => {
  const variables = { masjid: masjid.id }
  const { times } = await read<{ times: TimeToday[] }>(graphql, visit, { query: TODAY, variables })
  return showPage(overviewPage(visit.view, masjid, times))
}

export const addOverviewRoutes = (routes: PageRoutes, parts: StaffParts): void => {
  routes.getSignedIn('/staff', visit => showMasjids(parts, visit))
  routes.getSignedIn(
    '/staff/:slug',
    atMasjid(parts, here => showOverview(parts, here)),
  )
}
