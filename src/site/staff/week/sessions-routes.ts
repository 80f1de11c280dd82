// /staff/{slug}/week/sessions: Jumu'ah, Eid and Taraweeh.

import { addDays } from '../../../base/civil-date.ts'
import { localDateAt } from '../../../base/local-time.ts'
import { readGivenTimes } from '../../../timetables/store/given-times.ts'
import { type Answer, showPage } from '../../frame/page-reply.ts'
import type { PageRoutes } from '../../frame/page-routes.ts'
import { type PrayerTime, prayerTimeFields } from '../../hall/prayer-time.ts'
import { read } from '../ask.ts'
import { atMasjid, type StaffVisit } from '../at-masjid.ts'
import type { StaffParts } from '../staff-parts.ts'
import { fridayFrom } from './days.ts'
import type { SeasonalRule } from './rule-words.ts'
import { sessionsPage } from './sessions-page.ts'
import { ruleFields } from './try-change.ts'

const FRIDAYS = 4

const SESSIONS = `query Sessions($masjid: uuid!, $fridays: [date!]!) {
  rules: pc_iqamah_schedules(where: {masjid_id: {_eq: $masjid}, prayer: {_in: [jumuah, taraweeh, eid_fitr, eid_adha]}},
    order_by: [{prayer: asc}, {session: asc}, {priority: asc}, {id: asc}]) { ${ruleFields} }
  fridays: pc_prayer_times(where: {masjid_id: {_eq: $masjid}, prayer: {_eq: jumuah}, date: {_in: $fridays}},
    order_by: [{date: asc}, {session: asc}]) { ${prayerTimeFields} }
}`

interface Sessions {
  readonly rules: readonly SeasonalRule[]
  readonly fridays: readonly PrayerTime[]
}

const showSessions = async ({ graphql, database }: StaffParts, { visit, masjid }: StaffVisit): Promise<Answer> => {
  const today = localDateAt(new Date(), masjid.timezone)
  const first = fridayFrom(today)
  const fridays = Array.from({ length: FRIDAYS }, (_, index) => addDays(first, 7 * index))
  const sessions = await read<Sessions>(graphql, visit, {
    query: SESSIONS,
    variables: { masjid: masjid.id, fridays },
  })
  const given = await readGivenTimes(database, masjid.id, today)
  return showPage(sessionsPage(visit.view, { masjid, today, given, ...sessions }))
}

export const addSessionsRoutes = (routes: PageRoutes, parts: StaffParts): void => {
  routes.getSignedIn(
    '/staff/:slug/week/sessions',
    atMasjid(parts, here => showSessions(parts, here), 'times'),
  )
}
