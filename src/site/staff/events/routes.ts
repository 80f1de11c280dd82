// Events: list, create, edit, delete and take back; one date cancelled and taken back; its answers.
import { instantOf, localDateAt } from '../../../base/local-time.ts'
import type { StaffedMasjid } from '../../../capabilities/staffed-masjids.ts'
import { notFound } from '../../../http/not-found.ts'
import { type Answer, redirectTo, showPage } from '../../frame/page-reply.ts'
import type { PageRoutes } from '../../frame/page-routes.ts'
import { confirmPage } from '../../pieces/confirm-page.ts'
import { fill } from '../../pieces/fill.ts'
import { ask, read } from '../ask.ts'
import { lookingAfter, type StaffVisit } from '../at-masjid.ts'
import { doneWords, idIn, REFUSED, restoreAt, skipOf, versionOf, writeAt } from '../form-steps.ts'
import { localMomentOf } from '../local-words.ts'
import type { StaffParts } from '../staff-parts.ts'
import {
  CHANGE,
  CREATE,
  DELETE,
  LIST,
  type ListedOccurrence,
  type MasjidEvent,
  OCCURRENCE_BY_ID,
  type Occurrence,
  ONE,
  REPLIES,
  RESTORE,
  type Reply,
  SET_STATUS,
} from './event.ts'
import { formPage } from './form-page.ts'
import { eventPath, listPage } from './list-page.ts'
import { occurrencePath } from './occurrence-entry.ts'
import { checkForm, emptyForm, formOf, readForm } from './read-form.ts'
import { repliesPage } from './replies-page.ts'

/** The whole of today is shown, by the masjid's calendar. */
const startOfToday = ({ timezone }: StaffedMasjid): string =>
  (instantOf(`${localDateAt(new Date(), timezone)}T00:00`, timezone) ?? new Date()).toISOString()

const showList = async ({ graphql }: StaffParts, { visit, masjid }: StaffVisit): Promise<Answer> => {
  const skip = skipOf(visit)
  const variables = { masjid: masjid.id, from: startOfToday(masjid), skip }
  const found = await read<{ occurrences: ListedOccurrence[]; events: MasjidEvent[] }>(graphql, visit, {
    query: LIST,
    variables,
  })
  const done = doneWords(visit, visit.view.texts.staffEvents.done)
  return showPage(listPage(visit.view, { ...found, masjid, skip, done: done.words, deleted: done.deleted }))
}

const showNew = async (_: StaffParts, { visit, masjid }: StaffVisit): Promise<Answer> =>
  showPage(formPage(visit.view, { masjid, event: undefined, values: emptyForm(masjid.timezone, new Date()) }))

const acceptNew = async ({ graphql }: StaffParts, { visit, masjid }: StaffVisit): Promise<Answer> => {
  const values = readForm(visit.form)
  const shown = { masjid, event: undefined, values }
  const checked = checkForm(values, masjid.timezone)
  if ('faults' in checked) return showPage(formPage(visit.view, { ...shown, faults: checked.faults }), REFUSED)
  const object = { ...checked.values, masjid_id: masjid.id }
  const written = await ask<{ written: { id: string } }>(graphql, visit, { query: CREATE, variables: { object } })
  if ('refused' in written)
    return showPage(formPage(visit.view, { ...shown, refusal: written.refused.message }), REFUSED)
  return redirectTo(`${eventPath(masjid, written.data.written.id)}?done=created`)
}

interface Found {
  readonly event: MasjidEvent
  readonly dates: readonly ListedOccurrence[]
}

const findOne = async ({ graphql }: StaffParts, { visit, masjid }: StaffVisit): Promise<Found> => {
  const variables = { masjid: masjid.id, id: idIn(visit), from: startOfToday(masjid) }
  const { events } = await read<{ events: (MasjidEvent & { occurrences: Occurrence[] })[] }>(graphql, visit, {
    query: ONE,
    variables,
  })
  const [event] = events
  if (event === undefined) throw notFound()
  return { event, dates: event.occurrences.map(occurrence => ({ ...occurrence, event })) }
}

const showEdit = async (parts: StaffParts, here: StaffVisit): Promise<Answer> => {
  const { visit, masjid } = here
  const { event, dates } = await findOne(parts, here)
  const done = doneWords(visit, visit.view.texts.staffEvents.done)
  return showPage(formPage(visit.view, { masjid, event, dates, values: formOf(event), done: done.words }))
}

const acceptEdit = async (parts: StaffParts, here: StaffVisit): Promise<Answer> => {
  const { visit, masjid } = here
  const { event, dates } = await findOne(parts, here)
  const values = readForm(visit.form)
  const shown = { masjid, event, dates, values }
  const checked = checkForm(values, masjid.timezone, event)
  if ('faults' in checked) return showPage(formPage(visit.view, { ...shown, faults: checked.faults }), REFUSED)
  const variables = { id: event.id, set: checked.values, version: versionOf(values.version) }
  const written = await ask(parts.graphql, visit, { query: CHANGE, variables })
  if (!('refused' in written)) return redirectTo(`${eventPath(masjid, event.id)}?done=saved`)
  const { code, message } = written.refused
  return showPage(
    formPage(visit.view, { ...shown, ...(code === 'conflict' ? { conflict: true } : { refusal: message }) }),
    REFUSED,
  )
}

const confirmDeletion = async (parts: StaffParts, here: StaffVisit): Promise<Answer> => {
  const { view } = here.visit
  const { event } = await findOne(parts, here)
  const { deleteTitle, deleteText } = view.texts.staffEvents
  const action = eventPath(here.masjid, event.id, 'delete')
  const cancel = eventPath(here.masjid, event.id)
  const text = fill(deleteText, { title: event.title })
  return showPage(
    confirmPage(view, { title: deleteTitle, text, action, button: view.texts.common.delete, cancel, section: 'staff' }),
  )
}

const remove = async (parts: StaffParts, here: StaffVisit): Promise<Answer> => {
  const { event } = await findOne(parts, here)
  await writeAt(parts, here, { query: DELETE, variables: { id: event.id } })
  return redirectTo(`${eventPath(here.masjid)}?done=deleted&id=${event.id}`)
}

const restore = async (parts: StaffParts, here: StaffVisit): Promise<Answer> => {
  await restoreAt(parts, here, { query: RESTORE, variables: { id: idIn(here.visit) } })
  return redirectTo(`${eventPath(here.masjid)}?done=restored`)
}

const findDate = async ({ graphql }: StaffParts, { visit, masjid }: StaffVisit): Promise<ListedOccurrence> => {
  const variables = { masjid: masjid.id, id: idIn(visit) }
  const { occurrences } = await read<{ occurrences: ListedOccurrence[] }>(graphql, visit, {
    query: OCCURRENCE_BY_ID,
    variables,
  })
  const [occurrence] = occurrences
  if (occurrence === undefined) throw notFound()
  return occurrence
}

const confirmCancelling = async (parts: StaffParts, here: StaffVisit): Promise<Answer> => {
  const { view } = here.visit
  const occurrence = await findDate(parts, here)
  const { cancelTitle, cancelText, cancelButton } = view.texts.staffEvents
  const moment = localMomentOf(view, here.masjid, occurrence.starts_at)
  return showPage(
    confirmPage(view, {
      title: cancelTitle,
      text: fill(cancelText, { title: occurrence.event.title, moment }),
      action: occurrencePath(here.masjid, occurrence.id, 'cancel'),
      button: cancelButton,
      cancel: eventPath(here.masjid),
      cancelText: view.texts.staffEvents.keep,
      section: 'staff',
    }),
  )
}

const setStatus =
  (status: 'cancelled' | 'scheduled') =>
  async (parts: StaffParts, here: StaffVisit): Promise<Answer> => {
    const { id } = await findDate(parts, here)
    await writeAt(parts, here, { query: SET_STATUS, variables: { id, status } })
    return redirectTo(`${eventPath(here.masjid)}?done=${status}`)
  }

const showReplies = async (parts: StaffParts, here: StaffVisit): Promise<Answer> => {
  const occurrence = await findDate(parts, here)
  const skip = skipOf(here.visit)
  const variables = { id: occurrence.id, skip }
  const { replies } = await read<{ replies: Reply[] }>(parts.graphql, here.visit, { query: REPLIES, variables })
  return showPage(repliesPage(here.visit.view, { masjid: here.masjid, occurrence, replies, skip }))
}

export const addEventRoutes = (routes: PageRoutes, parts: StaffParts): void => {
  const here = lookingAfter(parts, 'events')
  const base = '/staff/:slug/events'
  routes.getSignedIn(base, here(showList))
  routes.getSignedIn(`${base}/new`, here(showNew))
  routes.postSignedIn(`${base}/new`, here(acceptNew))
  routes.getSignedIn(`${base}/:id`, here(showEdit))
  routes.postSignedIn(`${base}/:id`, here(acceptEdit))
  routes.getSignedIn(`${base}/:id/delete`, here(confirmDeletion))
  routes.postSignedIn(`${base}/:id/delete`, here(remove))
  routes.postSignedIn(`${base}/:id/restore`, here(restore))
  routes.getSignedIn(`${base}/dates/:id/cancel`, here(confirmCancelling))
  routes.postSignedIn(`${base}/dates/:id/cancel`, here(setStatus('cancelled')))
  routes.postSignedIn(`${base}/dates/:id/keep`, here(setStatus('scheduled')))
  routes.getSignedIn(`${base}/dates/:id/answers`, here(showReplies))
}
