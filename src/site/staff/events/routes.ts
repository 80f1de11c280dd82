// Events: list, create, edit, delete and take back; one date cancelled and taken back; its answers.
import { instantOf, localDateAt } from '../../../base/local-time.ts'
import type { StaffedMasjid } from '../../../capabilities/staffed-masjids.ts'
import { notFound } from '../../../http/not-found.ts'
import { type Answer, redirectTo, showPage } from '../../frame/page-reply.ts'
import type { PageRoutes } from '../../frame/page-routes.ts'
import { confirmPage } from '../../pieces/confirm-page.ts'
import { fill } from '../../pieces/fill.ts'
import { read } from '../ask.ts'
import { lookingAfter, type StaffVisit } from '../at-masjid.ts'
import { addDeletionRoutes, type Deletion } from '../deletion-routes.ts'
import { doneWords, idIn, skipOf, versionOf, writeAt } from '../form-steps.ts'
import { localMomentOf } from '../local-words.ts'
import { saveForm } from '../save-form.ts'
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

const acceptNew = async (parts: StaffParts, here: StaffVisit): Promise<Answer> => {
  const { visit, masjid } = here
  const values = readForm(visit.form)
  return saveForm(parts, here, {
    checked: checkForm(values, masjid.timezone),
    show: why => formPage(visit.view, { masjid, event: undefined, values, ...why }),
    mutation: object => ({ query: CREATE, variables: { object: { ...object, masjid_id: masjid.id } } }),
    saved: id => `${eventPath(masjid, id)}?done=created`,
  })
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
  const version = versionOf(values.version)
  return saveForm(parts, here, {
    checked: checkForm(values, masjid.timezone, event),
    show: why => formPage(visit.view, { masjid, event, dates, values, ...why }),
    mutation: set => ({ query: CHANGE, variables: { id: event.id, set, version } }),
    saved: () => `${eventPath(masjid, event.id)}?done=saved`,
  })
}

const deletion: Deletion = {
  base: '/staff/:slug/events',
  capability: 'events',
  find: async (parts, here) => {
    const { event } = await findOne(parts, here)
    return { id: event.id, name: event.title }
  },
  pathOf: eventPath,
  words: ({ texts: { staffEvents } }) => ({ title: staffEvents.deleteTitle, text: staffEvents.deleteText }),
  deleteQuery: DELETE,
  restoreQuery: RESTORE,
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
  addDeletionRoutes(routes, parts, deletion)
  routes.getSignedIn(`${base}/dates/:id/cancel`, here(confirmCancelling))
  routes.postSignedIn(`${base}/dates/:id/cancel`, here(setStatus('cancelled')))
  routes.postSignedIn(`${base}/dates/:id/keep`, here(setStatus('scheduled')))
  routes.getSignedIn(`${base}/dates/:id/answers`, here(showReplies))
}
