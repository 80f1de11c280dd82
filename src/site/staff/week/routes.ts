// The section "This week": seven days, changes planned and made, Jumu'ah and Eid, Ramadan.

import { localDateAt } from '../../../base/local-time.ts'
import { notFound } from '../../../http/not-found.ts'
import { type Answer, redirectTo, showPage } from '../../frame/page-reply.ts'
import type { PageRoutes } from '../../frame/page-routes.ts'
import { confirmPage } from '../../pieces/confirm-page.ts'
import { fill } from '../../pieces/fill.ts'
import { ask } from '../ask.ts'
import { atMasjid, type StaffVisit } from '../at-masjid.ts'
import { staffPath } from '../sections.ts'
import type { StaffParts } from '../staff-parts.ts'
import { readLaterStarts } from '../times/starts-later.ts'
import { addChangeRoutes } from './change-routes.ts'
import { doneWords } from './done-words.ts'
import { addRamadanRoutes } from './ramadan-routes.ts'
import { findChange, readChanges, type StoredChange } from './read-changes.ts'
import { readTimes } from './read-times.ts'
import { changeWords } from './rule-words.ts'
import { addSessionsRoutes } from './sessions-routes.ts'
import { weekPage } from './week-page.ts'

const DAYS = 7

const showWeek = async (parts: StaffParts, { visit, masjid }: StaffVisit, refusal?: string): Promise<Answer> => {
  const { graphql, database } = parts
  const today = localDateAt(new Date(), masjid.timezone)
  const times = await readTimes(graphql, visit, { masjid: masjid.id, from: today, days: DAYS })
  const changes = await readChanges(parts, visit, { masjid: masjid.id, today })
  const later = await readLaterStarts(database, masjid, { today, given: changes.given })
  const page = weekPage(visit.view, {
    masjid,
    today,
    times,
    changes,
    later: [...later.values()],
    done: doneWords(visit),
    published: visit.query.text('change'),
    refusal,
  })
  return showPage(page, refusal === undefined ? {} : { status: 422 })
}

/** @throws {Fault} `not-found` if it is another masjid's */
const ownChange = async ({ graphql }: StaffParts, { visit, masjid }: StaffVisit, id: string): Promise<StoredChange> => {
  const change = await findChange(graphql, visit, { masjid: masjid.id, id })
  if (change === undefined) throw notFound()
  return change
}

const askUndo = async (parts: StaffParts, here: StaffVisit): Promise<Answer> => {
  const { visit, masjid } = here
  const { week } = visit.view.texts
  const change = await ownChange(parts, here, visit.query.text('change'))
  return showPage(
    confirmPage(visit.view, {
      title: week.undoTitle,
      text: fill(week.undoText, { change: changeWords(visit.view, change) }),
      action: staffPath(masjid, 'week/undo'),
      hidden: { change: change.id },
      button: week.undo,
      cancel: staffPath(masjid, 'week'),
      section: 'staff',
    }),
  )
}

const mutationOf = (name: 'undo_iqamah_change' | 'cancel_iqamah_change'): string =>
  `mutation End($id: uuid!) { change: ${name}(args: {change_id: $id}) { id } }`

const endChange = async (parts: StaffParts, here: StaffVisit, end: 'undo' | 'cancel'): Promise<Answer> => {
  const { visit, masjid } = here
  const change = await ownChange(parts, here, visit.form.text('change'))
  const answer = await ask(parts.graphql, visit, {
    query: mutationOf(end === 'undo' ? 'undo_iqamah_change' : 'cancel_iqamah_change'),
    variables: { id: change.id },
  })
  const { undoRefused, cancelRefused } = visit.view.texts.week
  if ('refused' in answer) return showWeek(parts, here, end === 'undo' ? undoRefused : cancelRefused)
  return redirectTo(`${staffPath(masjid, 'week')}?done=${end === 'undo' ? 'undone' : 'cancelled'}`)
}

export const addWeekRoutes = (routes: PageRoutes, parts: StaffParts): void => {
  routes.getSignedIn(
    '/staff/:slug/week',
    atMasjid(parts, here => showWeek(parts, here), 'times'),
  )
  routes.getSignedIn(
    '/staff/:slug/week/undo',
    atMasjid(parts, here => askUndo(parts, here), 'times'),
  )
  routes.postSignedIn(
    '/staff/:slug/week/undo',
    atMasjid(parts, here => endChange(parts, here, 'undo'), 'times'),
  )
  routes.postSignedIn(
    '/staff/:slug/week/cancel',
    atMasjid(parts, here => endChange(parts, here, 'cancel'), 'times'),
  )
  addChangeRoutes(routes, parts)
  addSessionsRoutes(routes, parts)
  addRamadanRoutes(routes, parts)
}
