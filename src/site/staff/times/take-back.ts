// Undoing what was published, reading a followed source now, and no longer following it: each is asked first.
import { notFound } from '../../../http/not-found.ts'
import { followSource } from '../../../timetables/follow/follow-source.ts'
import { claimDue, type FollowedSource, fetchSoon, listFollowed } from '../../../timetables/follow/followed.ts'
import { findTimetable, type PublishedTimetable } from '../../../timetables/store/published.ts'
import { parameterOf } from '../../console/parts.ts'
import { type Answer, redirectTo, showPage } from '../../frame/page-reply.ts'
import { confirmPage } from '../../pieces/confirm-page.ts'
import { fillText } from '../../pieces/fill.ts'
import { ask } from '../ask.ts'
import type { StaffVisit } from '../at-masjid.ts'
import type { StaffParts } from '../staff-parts.ts'
import { timesPath } from './times-page.ts'

export const timetableOf = async (
  { database }: StaffParts,
  { visit, masjid }: StaffVisit,
): Promise<PublishedTimetable> => {
  const timetable = await findTimetable(database, masjid.id, parameterOf(visit, 'timetable'))
  if (timetable === undefined) throw notFound()
  return timetable
}

export const askUndo = async (parts: StaffParts, here: StaffVisit): Promise<Answer> => {
  const { id, name } = await timetableOf(parts, here)
  const { staffTimes: texts } = here.visit.view.texts
  const back = timesPath(here.masjid)
  return showPage(
    confirmPage(here.visit.view, {
      title: fillText(texts.undoTitle, { name }),
      text: texts.undoText,
      action: timesPath(here.masjid, `published/${id}/undo`),
      button: texts.undoButton,
      cancel: back,
      section: 'staff',
    }),
  )
}

const UNDO = 'mutation UndoTimetable($id: uuid!) { pc_undo_timetable(args: {timetable_id: $id}) { id } }'

export const acceptUndo = async (parts: StaffParts, here: StaffVisit): Promise<Answer> => {
  const { id } = await timetableOf(parts, here)
  const answered = await ask(parts.graphql, here.visit, { query: UNDO, variables: { id } })
  return redirectTo('refused' in answered ? timesPath(here.masjid) : `${timesPath(here.masjid)}?done=undone`)
}

const sourceOf = async ({ database }: StaffParts, { visit, masjid }: StaffVisit): Promise<FollowedSource> => {
  const source = (await listFollowed(database, masjid.id)).find(({ id }) => id === parameterOf(visit, 'source'))
  if (source === undefined) throw notFound()
  return source
}

export const acceptFetch = async (parts: StaffParts, here: StaffVisit): Promise<Answer> => {
  const { id } = await sourceOf(parts, here)
  await fetchSoon(parts.database, here.masjid.id, id)
  const [due] = await claimDue(parts.database, 1, id)
  if (due !== undefined) await followSource(parts, due)
  const { failure } = await sourceOf(parts, here)
  // What went wrong is told at the source itself.
  return redirectTo(failure === null ? `${timesPath(here.masjid)}?done=fetched` : timesPath(here.masjid))
}

export const askStop = async (parts: StaffParts, here: StaffVisit): Promise<Answer> => {
  const { id, name } = await sourceOf(parts, here)
  const { staffTimes: texts } = here.visit.view.texts
  return showPage(
    confirmPage(here.visit.view, {
      title: fillText(texts.stopTitle, { name }),
      text: texts.stopText,
      action: timesPath(here.masjid, `sources/${id}/stop`),
      button: texts.stop,
      cancel: timesPath(here.masjid),
      section: 'staff',
    }),
  )
}

const STOP = 'mutation StopFollowing($id: uuid!) { delete_pc_prayer_sources_by_pk(id: $id) { id } }'

export const acceptStop = async (parts: StaffParts, here: StaffVisit): Promise<Answer> => {
  const { id } = await sourceOf(parts, here)
  await ask(parts.graphql, here.visit, { query: STOP, variables: { id } })
  return redirectTo(`${timesPath(here.masjid)}?done=stopped`)
}
