// Ramadan and months: announcing when a month begins, taking that back, and whose announcements are followed.

import { addDays } from '../../../base/civil-date.ts'
import { localDateAt } from '../../../base/local-time.ts'
import { notFound } from '../../../http/not-found.ts'
import { type Answer, redirectTo, showPage } from '../../frame/page-reply.ts'
import type { PageRoutes } from '../../frame/page-routes.ts'
import { ask } from '../ask.ts'
import { atMasjid, type StaffVisit } from '../at-masjid.ts'
import { staffPath } from '../sections.ts'
import type { StaffParts } from '../staff-parts.ts'
import { isDate } from './change-values.ts'
import { doneWords } from './done-words.ts'
import { monthPage } from './month-page.ts'
import { ramadanPage } from './ramadan-page.ts'
import { type Month, type Months, readMonths } from './read-months.ts'
import { readTimes } from './read-times.ts'

const REFUSED = { status: 422 }

const monthsHere = ({ graphql }: StaffParts, { visit, masjid }: StaffVisit): Promise<Months> =>
  readMonths(graphql, visit, { masjid: masjid.id, today: localDateAt(new Date(), masjid.timezone) })

const justAnnounced = ({ visit: { query } }: StaffVisit) =>
  query.text('done') === 'announced'
    ? { year: query.text('year'), month: query.text('month'), was: query.text('was') }
    : undefined

const showRamadan = async (parts: StaffParts, here: StaffVisit, refusal?: string): Promise<Answer> => {
  const { visit, masjid } = here
  const months = await monthsHere(parts, here)
  const [first] = months.ramadanDays
  const stretch = { masjid: masjid.id, from: addDays(first ?? '1970-01-02', -1), days: months.ramadanDays.length + 1 }
  const times = first === undefined ? [] : await readTimes(parts.graphql, visit, stretch)
  const today = localDateAt(new Date(), masjid.timezone)
  const announced = justAnnounced(here)
  const page = ramadanPage(visit.view, { masjid, today, months, times, done: doneWords(visit), refusal, announced })
  return showPage(page, refusal === undefined ? {} : REFUSED)
}

/** @throws {Fault} `not-found` unless it is one of the coming months */
const monthNamed = (months: Months, year: string, month: string): Month => {
  const found = months.coming.find(coming => String(coming.year) === year && String(coming.month) === month)
  if (found === undefined) throw notFound()
  return found
}

const showMonth = async (parts: StaffParts, here: StaffVisit): Promise<Answer> => {
  const { visit, masjid } = here
  const month = monthNamed(await monthsHere(parts, here), visit.query.text('year'), visit.query.text('month'))
  return showPage(monthPage(visit.view, { masjid, month, chosen: month.startsOn, fault: undefined }))
}

const ANNOUNCE = `mutation Announce($masjid: uuid!, $year: Int!, $month: Int!, $starts: date!) {
  announced: announce_hijri_month(args: {masjid_id: $masjid, hijri_year: $year, hijri_month: $month, starts_on: $starts}) { id }
}`

const announce = async (parts: StaffParts, here: StaffVisit): Promise<Answer> => {
  const { visit, masjid } = here
  const { form, view } = visit
  const month = monthNamed(await monthsHere(parts, here), form.text('year'), form.text('month'))
  const starts = form.text('starts_on')
  const again = (fault: string): Answer => showPage(monthPage(view, { masjid, month, chosen: starts, fault }), REFUSED)
  if (!isDate(starts)) return again(view.texts.week.faults.date)
  const answer = await ask(parts.graphql, visit, {
    query: ANNOUNCE,
    variables: { masjid: masjid.id, year: month.year, month: month.month, starts },
  })
  if ('refused' in answer) return again(view.texts.week.faults.moon)
  const was = month.decidedBy === 'own' && month.startsOn !== starts ? month.startsOn : ''
  const told = new URLSearchParams({ done: 'announced', year: String(month.year), month: String(month.month), was })
  return redirectTo(`${staffPath(masjid, 'week/ramadan')}?${told}`)
}

const WITHDRAW = `mutation Withdraw($masjid: uuid!, $year: Int!, $month: Int!) {
  withdrawn: delete_pc_hijri_months(where: {masjid_id: {_eq: $masjid}, hijri_year: {_eq: $year}, hijri_month: {_eq: $month}}) { affected_rows }
}`

const withdraw = async (parts: StaffParts, here: StaffVisit): Promise<Answer> => {
  const { visit, masjid } = here
  const [year, month] = [Number(visit.form.text('year')), Number(visit.form.text('month'))]
  if (!Number.isInteger(year) || !Number.isInteger(month)) throw notFound()
  const answer = await ask(parts.graphql, visit, { query: WITHDRAW, variables: { masjid: masjid.id, year, month } })
  if ('refused' in answer) return showRamadan(parts, here, answer.refused.message)
  return redirectTo(`${staffPath(masjid, 'week/ramadan')}?done=withdrawn`)
}

const FOLLOW = `mutation Follow($masjid: uuid!, $authority: uuid) {
  masjid: update_up_masjids_by_pk(pk_columns: {id: $masjid}, _set: {hijri_authority_id: $authority}) { id }
}`

const follow = async (parts: StaffParts, here: StaffVisit): Promise<Answer> => {
  const { visit, masjid } = here
  const chosen = visit.form.text('authority')
  const { authorities } = await monthsHere(parts, here)
  if (chosen !== '' && !authorities.some(({ id }) => id === chosen)) throw notFound()
  const variables = { masjid: masjid.id, authority: chosen === '' ? null : chosen }
  const answer = await ask(parts.graphql, visit, { query: FOLLOW, variables })
  if ('refused' in answer) return showRamadan(parts, here, answer.refused.message)
  return redirectTo(`${staffPath(masjid, 'week/ramadan')}?done=followed`)
}

export const addRamadanRoutes = (routes: PageRoutes, parts: StaffParts): void => {
  const here = (path: string): string => `/staff/:slug/week/${path}`
  routes.getSignedIn(
    here('ramadan'),
    atMasjid(parts, at => showRamadan(parts, at), 'times'),
  )
  routes.getSignedIn(
    here('month'),
    atMasjid(parts, at => showMonth(parts, at), 'times'),
  )
  routes.postSignedIn(
    here('month'),
    atMasjid(parts, at => announce(parts, at), 'times'),
  )
  routes.postSignedIn(
    here('month/withdraw'),
    atMasjid(parts, at => withdraw(parts, at), 'times'),
  )
  routes.postSignedIn(
    here('follow'),
    atMasjid(parts, at => follow(parts, at), 'times'),
  )
}
