// A file, pasted cells or an address → a draft; and the page that asks for them.
import { localDateAt } from '../../../base/local-time.ts'
import { FetchRefused } from '../../../outbound/fetch-refused.ts'
import { SheetRefused } from '../../../sheets/sheet.ts'
import { fetchSheet } from '../../../timetables/fetch-sheet.ts'
import { listFollowed } from '../../../timetables/follow/followed.ts'
import { keepDraft, listDrafts } from '../../../timetables/store/drafts.ts'
import { readGivenTimes, readTimesInForce } from '../../../timetables/store/given-times.ts'
import { listTimetables } from '../../../timetables/store/published.ts'
import { type Answer, redirectTo, showPage } from '../../frame/page-reply.ts'
import { fillText } from '../../pieces/fill.ts'
import type { StaffVisit } from '../at-masjid.ts'
import { fileOf } from '../sheets/receive-files.ts'
import type { StaffParts } from '../staff-parts.ts'
import { sourceList } from './source-list.ts'
import { readLaterStarts } from './starts-later.ts'
import { type TimesParts, timesPage, timesPath } from './times-page.ts'

export type Step = (parts: StaffParts, here: StaffVisit) => Promise<Answer>

type Extra = Pick<TimesParts, 'done' | 'typed' | 'faults'>

const pageParts = async (
  { database }: StaffParts,
  { visit, masjid }: StaffVisit,
  extra: Extra,
): Promise<TimesParts> => {
  const today = localDateAt(new Date(), masjid.timezone)
  const [timetables, drafts, followed, inForce, given] = await Promise.all([
    listTimetables(database, masjid.id),
    listDrafts(database, masjid.id),
    listFollowed(database, masjid.id),
    readTimesInForce(database, masjid.id),
    readGivenTimes(database, masjid.id, today),
  ])
  const later = await readLaterStarts(database, masjid, { today, given })
  const sources = sourceList(visit.view, masjid, followed)
  return {
    masjid,
    today,
    timetables,
    inForce: new Map(inForce.map(one => [one.id, one])),
    later,
    drafts,
    sources,
    ...extra,
  }
}

export const showTimes = async (parts: StaffParts, here: StaffVisit): Promise<Answer> => {
  const { done: words } = here.visit.view.texts.staffTimes
  const done = here.visit.query.text('done')
  const shown = await pageParts(parts, here, {})
  const [newest] = shown.timetables
  const isLater = done === 'published' && newest !== undefined && shown.later.has(newest.id)
  const name = isLater ? 'publishedLater' : done
  const extra = Object.hasOwn(words, name) ? { done: words[name as keyof typeof words] } : {}
  return showPage(timesPage(here.visit.view, { ...shown, ...extra }))
}

interface Given {
  readonly field: 'sheet' | 'pasted' | 'address'
  readonly name: string
  readonly bytes: () => Promise<Buffer>
  readonly address?: string
}

/** A file wins over pasted cells, and these over an address. */
const givenBy = ({ dial }: StaffParts, { visit }: StaffVisit): Given | undefined => {
  const file = fileOf(visit.request.body, 'sheet')
  if (file !== undefined)
    return { field: 'sheet', name: file.name.slice(-200) || 'timetable', bytes: async () => file.bytes }
  const pasted = visit.form.exact('pasted')
  if (pasted.trim() !== '')
    return { field: 'pasted', name: visit.view.texts.staffTimes.newTitle, bytes: async () => Buffer.from(pasted) }
  const address = visit.form.text('address')
  if (address === '') return undefined
  const bytes = async (): Promise<Buffer> => {
    const fetched = await fetchSheet(address, { etag: null, lastModified: null }, dial)
    return fetched.kind === 'same' ? Buffer.alloc(0) : fetched.bytes
  }
  return {
    field: 'address',
    name: (URL.canParse(address) ? new URL(address).hostname : address).slice(0, 200),
    bytes,
    address,
  }
}

const faultOf = ({ visit: { view } }: StaffVisit, error: unknown): string => {
  const { fetchRefused } = view.texts.staffTimes
  if (error instanceof SheetRefused) return view.texts.staff.sheets.refused[error.reason]
  if (error instanceof FetchRefused) return fillText(fetchRefused[error.reason], { status: error.status ?? '' })
  throw error
}

const refuse = async (parts: StaffParts, here: StaffVisit, field: string, fault: string): Promise<Answer> => {
  const { form, view } = here.visit
  const typed = { pasted: form.exact('pasted'), address: form.text('address') }
  return showPage(timesPage(view, await pageParts(parts, here, { typed, faults: { [field]: fault } })), { status: 422 })
}

/** A draft may take too long as well, however it got there. */
export const orRefuse =
  (step: Step): Step =>
  async (parts, here) => {
    try {
      return await step(parts, here)
    } catch (error) {
      if (!(error instanceof SheetRefused)) throw error
      return refuse(parts, here, 'sheet', faultOf(here, error))
    }
  }

export const acceptSheet = async (parts: StaffParts, here: StaffVisit): Promise<Answer> => {
  const given = givenBy(parts, here)
  if (given === undefined) return refuse(parts, here, 'sheet', here.visit.view.texts.staffTimes.nothingGiven)
  try {
    const sheet = await parts.sheets.of(here.masjid.id).file(await given.bytes(), here.masjid.timezone)
    const { name, address } = given
    const draft = {
      masjidId: here.masjid.id,
      userId: here.visit.session.user.id,
      name,
      sheet,
      ...(address === undefined ? {} : { address }),
    }
    return redirectTo(timesPath(here.masjid, `drafts/${await keepDraft(parts.database, draft)}`))
  } catch (error) {
    return refuse(parts, here, given.field, faultOf(here, error))
  }
}
