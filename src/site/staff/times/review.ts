// A draft: its columns, the preview, publishing it, and removing it.
import { randomUUID } from 'node:crypto'
import { localDateAt } from '../../../base/local-time.ts'
import { notFound } from '../../../http/not-found.ts'
import { follow, nextPriority } from '../../../timetables/follow/followed.ts'
import { isRole, type Reading, type Role, roleOf, timeRoleOf } from '../../../timetables/read/roles.ts'
import type { Compared } from '../../../timetables/review/compare.ts'
import { type ReviewedSheet, reviewSheet } from '../../../timetables/review/review-sheet.ts'
import { type Draft, findDraft, removeDraft, saveReading } from '../../../timetables/store/drafts.ts'
import { parameterOf } from '../../console/parts.ts'
import type { FormValues } from '../../frame/form-body.ts'
import { type Answer, redirectTo, showPage } from '../../frame/page-reply.ts'
import { ask } from '../ask.ts'
import type { StaffVisit } from '../at-masjid.ts'
import type { StaffParts } from '../staff-parts.ts'
import { columnsPage } from './columns-page.ts'
import { type PreviewFilter, previewPage } from './preview-page.ts'
import { readLaterStart } from './starts-later.ts'
import { timesPath } from './times-page.ts'

const draftOf = async ({ database }: StaffParts, { visit, masjid }: StaffVisit): Promise<Draft> => {
  const draft = await findDraft(database, masjid.id, parameterOf(visit, 'draft'))
  if (draft === undefined) throw notFound()
  return draft
}

const review = (
  { database, sheets }: StaffParts,
  { masjid }: StaffVisit,
  { sheet }: Draft,
  reading: Reading,
): Promise<ReviewedSheet> => reviewSheet(database, sheets.of(masjid.id), { masjid, sheet, reading })

const guess = ({ sheets }: StaffParts, { masjid }: StaffVisit, { sheet }: Draft): Promise<Reading> =>
  sheets.of(masjid.id).columns(sheet)

export const showColumns = async (parts: StaffParts, here: StaffVisit): Promise<Answer> => {
  const draft = await draftOf(parts, here)
  const reading = draft.reading ?? (await guess(parts, here, draft))
  const { questions } = await review(parts, here, draft, reading)
  return showPage(columnsPage(here.visit.view, { masjid: here.masjid, draft, reading, questions, sent: false }))
}

/** Columns that the form did not show stay left out. */
const readColumns = (form: FormValues, { columns }: Reading): Role[] => {
  const plain = form.text('plain')
  return columns.map((_, column) => {
    const chosen = form.text(`column_${column}`)
    const role: Role = isRole(chosen) ? chosen : 'ignore'
    const time = timeRoleOf(role)
    return time?.kind === 'time' && (plain === 'adhan' || plain === 'iqamah') ? roleOf({ ...time, kind: plain }) : role
  })
}

const numberIn = (text: string, least: number, most: number): number | undefined => {
  const number = Number(text)
  return text !== '' && Number.isInteger(number) && number >= least && number <= most ? number : undefined
}

const readReading = (form: FormValues, guess: Reading): Reading => {
  const order = form.text('order')
  return {
    first: guess.first,
    columns: readColumns(form, guess),
    order: order === 'dmy' || order === 'mdy' ? order : undefined,
    month: numberIn(form.text('month'), 1, 12),
    year: numberIn(form.text('year'), 2000, 2100),
  }
}

export const acceptColumns = async (parts: StaffParts, here: StaffVisit): Promise<Answer> => {
  const draft = await draftOf(parts, here)
  const reading = readReading(here.visit.form, draft.reading ?? (await guess(parts, here, draft)))
  await saveReading(parts.database, draft, reading)
  const { questions } = await review(parts, here, draft, reading)
  if (questions.length === 0) return redirectTo(timesPath(here.masjid, `drafts/${draft.id}/preview`))
  return showPage(columnsPage(here.visit.view, { masjid: here.masjid, draft, reading, questions, sent: true }), {
    status: 422,
  })
}

const laterStartOf = ({ database }: StaffParts, { masjid }: StaffVisit, { entries }: Compared) => {
  const slots = entries.filter(({ iqamah }) => iqamah !== undefined)
  const [first = ''] = entries.map(({ date }) => date).sort()
  return readLaterStart(database, masjid, { today: localDateAt(new Date(), masjid.timezone), first, slots })
}

/** A draft that still has questions leads back to them. */
const preview = async (parts: StaffParts, here: StaffVisit, draft: Draft, refused?: string): Promise<Answer> => {
  const reading = draft.reading
  if (reading === null) return redirectTo(timesPath(here.masjid, `drafts/${draft.id}`))
  const { questions, compared, problems, calculated } = await review(parts, here, draft, reading)
  if (questions.length > 0 || compared.entries.length === 0)
    return redirectTo(timesPath(here.masjid, `drafts/${draft.id}`))
  const doubtful = compared.missing.length > 0 || compared.entries.some(({ doubts }) => doubts.length > 0)
  const asked = here.visit.query.text('show')
  const filter: PreviewFilter =
    asked === 'all' || asked === 'changed' || asked === 'doubtful' ? asked : doubtful ? 'doubtful' : 'all'
  const page = numberIn(here.visit.query.text('page'), 1, 1000) ?? 1
  const later = await laterStartOf(parts, here, compared)
  const shown = { masjid: here.masjid, draft, compared, problems, calculated, later, filter, page }
  return showPage(
    previewPage(here.visit.view, refused === undefined ? shown : { ...shown, refused }),
    refused === undefined ? {} : { status: 422 },
  )
}

export const showPreview = async (parts: StaffParts, here: StaffVisit): Promise<Answer> =>
  preview(parts, here, await draftOf(parts, here))

const PUBLISH = `mutation PublishTimetable($masjid: uuid!, $name: String!, $days: jsonb!, $source: uuid) {
  pc_publish_timetable(args: {masjid_id: $masjid, name: $name, days: $days, source_id: $source}) { id }
}`
/** One transaction: a source that is never published is never there. */
const PUBLISH_NEW_SOURCE = `mutation FollowTimetable($masjid: uuid!, $name: String!, $days: jsonb!, $source: uuid!, $kind: pc_source_kind!, $url: String!, $priority: Int!) {
  insert_pc_prayer_sources_one(object: {id: $source, masjid_id: $masjid, kind: $kind, label: $name, url: $url, priority: $priority, confidence: 0.9}) { id }
  pc_publish_timetable(args: {masjid_id: $masjid, name: $name, days: $days, source_id: $source}) { id }
}`

const isCalendar = (address: string): boolean => /\.ics(\?|$)|\bical\b/i.test(address)

const publish = async (parts: StaffParts, here: StaffVisit, draft: Draft, days: unknown) => {
  const [{ database, graphql }, { visit, masjid }] = [parts, here]
  const common = { masjid: masjid.id, name: draft.name, days }
  if (draft.address === null)
    return ask(graphql, visit, { query: PUBLISH, variables: { ...common, source: draft.sourceId } })
  const source = { source: randomUUID(), kind: isCalendar(draft.address) ? 'ical' : 'api', url: draft.address }
  const variables = { ...common, ...source, priority: await nextPriority(database, masjid.id) }
  const answered = await ask(graphql, visit, { query: PUBLISH_NEW_SOURCE, variables })
  if ('data' in answered && draft.reading !== null) {
    const reading = { ...draft.reading, guessed: (await guess(parts, here, draft)).columns }
    await follow(database, { sourceId: source.source, reading, hash: null })
  }
  return answered
}

export const acceptPublish = async (parts: StaffParts, here: StaffVisit): Promise<Answer> => {
  const draft = await draftOf(parts, here)
  if (draft.reading === null) return redirectTo(timesPath(here.masjid, `drafts/${draft.id}`))
  const { questions, compared } = await review(parts, here, draft, draft.reading)
  if (questions.length > 0 || compared.entries.length === 0) return preview(parts, here, draft)
  const days = compared.entries.map(({ change: _, doubts: __, ...entry }) => entry)
  const answered = await publish(parts, here, draft, days)
  if ('refused' in answered) return preview(parts, here, draft, answered.refused.message)
  if (draft.sourceId !== null)
    await follow(parts.database, {
      sourceId: draft.sourceId,
      reading: { ...draft.reading, guessed: (await guess(parts, here, draft)).columns },
      hash: null,
    })
  await removeDraft(parts.database, draft)
  return redirectTo(`${timesPath(here.masjid)}?done=${draft.address === null ? 'published' : 'followed'}`)
}

export const acceptRemoval = async (parts: StaffParts, here: StaffVisit): Promise<Answer> => {
  await removeDraft(parts.database, await draftOf(parts, here))
  return redirectTo(`${timesPath(here.masjid)}?done=removed`)
}
