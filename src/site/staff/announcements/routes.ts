// Announcements: list, create, edit, end, delete and take back.
import { notFound } from '../../../http/not-found.ts'
import { type Answer, redirectTo, showPage } from '../../frame/page-reply.ts'
import type { PageRoutes } from '../../frame/page-routes.ts'
import { read } from '../ask.ts'
import { lookingAfter, type StaffVisit } from '../at-masjid.ts'
import { addDeletionRoutes, type Deletion } from '../deletion-routes.ts'
import { doneWords, idIn, skipOf, versionOf, writeAt } from '../form-steps.ts'
import { saveForm } from '../save-form.ts'
import type { StaffParts } from '../staff-parts.ts'
import {
  type Announcement,
  CHANGE,
  CREATE,
  DELETE,
  END,
  LANGUAGES,
  LIST,
  ONE,
  RESTORE,
  textIn,
} from './announcement.ts'
import { formPage } from './form-page.ts'
import { type AnnouncementLists, announcementPath, listPage } from './list-page.ts'
import { type AnnouncementForm, checkForm, emptyForm, formOf, readForm } from './read-form.ts'

const languagesFor = (here: StaffVisit, spoken: readonly string[]): string[] =>
  [...new Set([here.visit.view.language, ...spoken, 'en', 'ar'])].slice(0, 8)

const languagesOf = async ({ graphql }: StaffParts, here: StaffVisit): Promise<string[]> => {
  const variables = { masjid: here.masjid.id }
  const { masjid } = await read<{ masjid: { languages: string[] } | null }>(graphql, here.visit, {
    query: LANGUAGES,
    variables,
  })
  return languagesFor(here, masjid?.languages ?? [])
}

const showList = async ({ graphql }: StaffParts, { visit, masjid }: StaffVisit): Promise<Answer> => {
  const skip = skipOf(visit)
  const variables = { masjid: masjid.id, now: new Date().toISOString(), skip }
  const lists = await read<AnnouncementLists>(graphql, visit, { query: LIST, variables })
  const done = doneWords(visit, visit.view.texts.staffAnnouncements.done)
  return showPage(listPage(visit.view, { ...lists, masjid, skip, done: done.words, deleted: done.deleted }))
}

const showNew = async (parts: StaffParts, here: StaffVisit): Promise<Answer> => {
  const kind = here.visit.query.text('kind') === 'janazah' ? 'janazah' : 'general'
  const languages = await languagesOf(parts, here)
  const values = emptyForm({ kind, languages, timezone: here.masjid.timezone }, new Date())
  return showPage(formPage(here.visit.view, { masjid: here.masjid, id: undefined, values }))
}

const acceptNew = async (parts: StaffParts, here: StaffVisit): Promise<Answer> => {
  const { visit, masjid } = here
  const values = readForm(visit.form)
  const now = new Date()
  const checked = checkForm(values, masjid.timezone, { starts_at: now.toISOString(), ends_at: null })
  const isPlanned = 'values' in checked && new Date(checked.values.starts_at) > now
  return saveForm(parts, here, {
    checked,
    show: why => formPage(visit.view, { masjid, id: undefined, values, ...why }),
    mutation: object => ({ query: CREATE, variables: { object: { ...object, masjid_id: masjid.id } } }),
    saved: () => `${announcementPath(masjid)}?done=${isPlanned ? 'scheduled' : 'created'}`,
  })
}

interface Found {
  readonly announcement: Announcement
  readonly languages: readonly string[]
}

/** Announcements of other masjids do not exist here. */
const findOne = async ({ graphql }: StaffParts, here: StaffVisit): Promise<Found> => {
  const id = idIn(here.visit)
  const { found, masjid } = await read<{ found: Announcement[]; masjid: { languages: string[] } | null }>(
    graphql,
    here.visit,
    { query: ONE, variables: { masjid: here.masjid.id, id } },
  )
  const [announcement] = found
  if (announcement === undefined) throw notFound()
  return { announcement, languages: languagesFor(here, masjid?.languages ?? []) }
}

const showEdit = async (parts: StaffParts, here: StaffVisit): Promise<Answer> => {
  const { announcement, languages } = await findOne(parts, here)
  const { masjid } = here
  const values = formOf(announcement, { languages, timezone: masjid.timezone })
  return showPage(formPage(here.visit.view, { masjid, id: announcement.id, values }))
}

/** The kind of a janazah stays, and nothing else becomes one: its form has other fields. */
const keepKind = (values: AnnouncementForm, { kind }: Announcement): AnnouncementForm =>
  kind === 'janazah' ? { ...values, kind } : values.kind === 'janazah' ? { ...values, kind: 'general' } : values

const acceptEdit = async (parts: StaffParts, here: StaffVisit): Promise<Answer> => {
  const { visit, masjid } = here
  const { announcement } = await findOne(parts, here)
  const { id } = announcement
  const values = keepKind(readForm(visit.form), announcement)
  const version = versionOf(values.version)
  return saveForm(parts, here, {
    checked: checkForm(values, masjid.timezone, announcement),
    show: ({ conflict, ...why }) =>
      formPage(visit.view, { masjid, id, values, ...why, ...(conflict === true ? { current: announcement } : {}) }),
    mutation: set => ({ query: CHANGE, variables: { id, set, version } }),
    saved: () => `${announcementPath(masjid)}?done=saved`,
  })
}

const endNow = async (parts: StaffParts, here: StaffVisit): Promise<Answer> => {
  const { announcement } = await findOne(parts, here)
  await writeAt(parts, here, { query: END, variables: { id: announcement.id, now: new Date().toISOString() } })
  return redirectTo(`${announcementPath(here.masjid)}?done=ended`)
}

const deletion: Deletion = {
  base: '/staff/:slug/announcements',
  capability: 'announcements',
  find: async (parts, here) => {
    const { announcement } = await findOne(parts, here)
    const [, { title }] = textIn(announcement, here.visit.view.language)
    return { id: announcement.id, name: title }
  },
  pathOf: announcementPath,
  words: ({ texts: { staffAnnouncements: words } }) => ({ title: words.deleteTitle, text: words.deleteText }),
  deleteQuery: DELETE,
  restoreQuery: RESTORE,
}

export const addAnnouncementRoutes = (routes: PageRoutes, parts: StaffParts): void => {
  const here = lookingAfter(parts, 'announcements')
  const base = '/staff/:slug/announcements'
  routes.getSignedIn(base, here(showList))
  routes.getSignedIn(`${base}/new`, here(showNew))
  routes.postSignedIn(`${base}/new`, here(acceptNew))
  routes.getSignedIn(`${base}/:id`, here(showEdit))
  routes.postSignedIn(`${base}/:id`, here(acceptEdit))
  routes.postSignedIn(`${base}/:id/end`, here(endNow))
  addDeletionRoutes(routes, parts, deletion)
}
