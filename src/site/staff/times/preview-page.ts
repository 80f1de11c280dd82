// A sheet as it was read, beside what stands → what publishing it would do, as a table and as lines over the year.
import type { StaffedMasjid } from '../../../capabilities/staffed-masjids.ts'
import type { Problem } from '../../../timetables/read/read-timetable.ts'
import type { CalculatedDay, Compared, ComparedEntry } from '../../../timetables/review/compare.ts'
import type { Draft } from '../../../timetables/store/drafts.ts'
import type { View } from '../../frame/view.ts'
import { actions, linkButton, submitButton } from '../../pieces/buttons.ts'
import { pagination } from '../../pieces/data.ts'
import { fill, fillCount, fillText } from '../../pieces/fill.ts'
import { form } from '../../pieces/form.ts'
import { attributes, type Html, html, nothing } from '../../pieces/html.ts'
import { notice } from '../../pieces/notices.ts'
import { staffFrame } from '../staff-frame.ts'
import { shortDay } from './day-words.ts'
import { type LaterStart, startsLater } from './starts-later.ts'
import { timesPath } from './times-page.ts'
import { yearChart } from './year-chart.ts'

export type PreviewFilter = 'doubtful' | 'changed' | 'all'

export interface PreviewParts {
  readonly masjid: StaffedMasjid
  readonly draft: Draft
  readonly compared: Compared
  readonly problems: readonly Problem[]
  readonly calculated: ReadonlyMap<string, CalculatedDay>
  readonly filter: PreviewFilter
  readonly page: number
  /** If it begins later: what holds until then. */
  readonly later?: LaterStart | undefined
  /** Why publishing was refused. */
  readonly refused?: string
}

const DAYS_PER_PAGE = 31
const PROBLEMS_SHOWN = 10

const isDoubtful = ({ doubts }: ComparedEntry): boolean => doubts.length > 0

const counts = (view: View, { compared: { entries, missing } }: PreviewParts): Html => {
  const { counts: words } = view.texts.staffTimes
  const of = (change: ComparedEntry['change']): number => entries.filter(entry => entry.change === change).length
  const numbers = {
    new: of('new'),
    changed: of('changed'),
    same: of('same'),
    doubtful: entries.filter(isDoubtful).length,
    missing: missing.length,
  }
  return html`<ul class="plain-list times-counts">${(Object.keys(numbers) as (keyof typeof numbers)[]).map(
    name => html`<li><strong>${numbers[name]}</strong> ${words[name]}</li>`,
  )}</ul>`
}

const problemList = (view: View, { problems }: PreviewParts): Html => {
  const { staffTimes: texts } = view.texts
  if (problems.length === 0) return nothing
  const shown = problems.slice(0, PROBLEMS_SHOWN)
  const rest = problems.length - shown.length
  return html`<div class="notice warn"><h2>${texts.problemsTitle}</h2><ul>${shown.map(({ kind, row, text }) => html`<li>${fill(texts.problems[kind], { row, text })}</li>`)}${rest > 0 && html`<li>${fillCount(view.language, texts.more, rest)}</li>`}</ul></div>`
}

interface DayRow {
  readonly date: string
  readonly entries: readonly ComparedEntry[]
  readonly missing: readonly string[]
}

const rowsOf = ({ compared, filter }: PreviewParts): DayRow[] => {
  const missing = Map.groupBy(compared.missing, ({ date }) => date)
  const entries = Map.groupBy(compared.entries, ({ date }) => date)
  const dates = [...new Set([...entries.keys(), ...missing.keys()])].sort()
  const all = dates.map(date => ({
    date,
    entries: entries.get(date) ?? [],
    missing: (missing.get(date) ?? []).map(({ prayer }) => prayer),
  }))
  if (filter === 'all') return all
  if (filter === 'changed') return all.filter(row => row.entries.some(({ change }) => change !== 'same'))
  return all.filter(row => row.missing.length > 0 || row.entries.some(isDoubtful))
}

const timeOf = ({ adhan, iqamah }: ComparedEntry): string => [adhan, iqamah].filter(Boolean).join(' / ')

const notesOf = ({ texts: { staff, staffTimes } }: View, { entries, missing }: DayRow): Html[] => [
  ...entries.flatMap(({ prayer, doubts }) =>
    doubts
      .filter(doubt => doubt !== 'clocks_change')
      .map(doubt => html`<li>${staff.prayers[prayer]}: ${staffTimes.doubts[doubt]}</li>`),
  ),
  ...(entries.some(({ doubts }) => doubts.includes('clocks_change'))
    ? [html`<li>${staffTimes.doubts.clocks_change}</li>`]
    : []),
  ...missing.map(prayer => html`<li>${staff.prayers[prayer as 'fajr']}: ${staffTimes.doubts.missing}</li>`),
]

const dayTable = (view: View, rows: readonly DayRow[], parts: PreviewParts): Html => {
  const { staff, staffTimes: texts } = view.texts
  const slots = [
    ...new Map(
      parts.compared.entries.map(({ prayer, session }) => [`${prayer}:${session}`, { prayer, session }]),
    ).values(),
  ]
  const cellOf = (row: DayRow, { prayer, session }: { prayer: string; session: number }): Html => {
    const entry = row.entries.find(one => one.prayer === prayer && one.session === session)
    const doubtful = entry?.doubts.some(doubt => doubt !== 'clocks_change') === true
    return html`<td${attributes({ class: doubtful && 'doubtful' })}>${entry !== undefined && timeOf(entry)}${entry?.change === 'same' ? '' : entry !== undefined && html`<span class="visually-hidden"> (${texts.counts[entry.change]})</span>`}</td>`
  }
  // Right beside the date: on a phone, what is far to the side is not seen.
  const anyNotes = rows.some(row => notesOf(view, row).length > 0)
  const notes = (row: DayRow): Html =>
    anyNotes ? html`<td class="times-notes"><ul class="plain-list">${notesOf(view, row)}</ul></td>` : nothing
  return html`<div class="table-frame times-table" role="region" aria-label="${texts.previewTitle}" tabindex="0"><table><caption class="visually-hidden">${texts.previewTitle}</caption>
<thead><tr><th scope="col">${texts.date}</th>${anyNotes && html`<th scope="col">${texts.notes}</th>`}${slots.map(({ prayer, session }) => html`<th scope="col">${staff.prayers[prayer]}${session > 1 && ` ${session}`}</th>`)}</tr></thead>
<tbody>${rows.map(row => html`<tr><th scope="row">${shortDay(view, row.date)}</th>${notes(row)}${slots.map(slot => cellOf(row, slot))}</tr>`)}</tbody></table></div>`
}

const days = (view: View, parts: PreviewParts): Html => {
  const { staffTimes: texts } = view.texts
  const here = timesPath(parts.masjid, `drafts/${parts.draft.id}/preview`)
  const rows = rowsOf(parts)
  const pages = Math.max(1, Math.ceil(rows.length / DAYS_PER_PAGE))
  const page = Math.min(parts.page, pages)
  const links = (['doubtful', 'changed', 'all'] as const).map(
    name =>
      html`<li><a class="button small" href="${`${here}?show=${name}`}"${attributes({ 'aria-current': name === parts.filter && 'true' })}>${texts.filters[name]}</a></li>`,
  )
  return html`<nav class="spans" aria-label="${texts.filterLabel}"><ul class="plain-list">${links}</ul></nav>
${rows.length === 0 ? html`<p>${texts.nothingHere}</p>` : dayTable(view, rows.slice((page - 1) * DAYS_PER_PAGE, page * DAYS_PER_PAGE), parts)}
${pagination(view, { page, pages, href: next => `${here}?show=${parts.filter}&page=${next}` })}`
}

export const previewPage = (view: View, parts: PreviewParts): Html => {
  const { staffTimes: texts } = view.texts
  const { masjid, draft, compared, refused } = parts
  const here = timesPath(masjid, `drafts/${draft.id}`)
  const dates = compared.entries.map(({ date }) => date).sort()
  const summary = fillText(texts.summary, {
    name: draft.name,
    first: shortDay(view, dates[0] ?? ''),
    last: shortDay(view, dates.at(-1) ?? ''),
  })
  return staffFrame(view, {
    masjid,
    section: 'times',
    title: texts.previewTitle,
    faulty: refused !== undefined,
    main: html`${refused !== undefined && notice({ tone: 'bad', text: refused })}<p><bdi>${summary}</bdi></p>${parts.later && html`<p>${startsLater(view, parts.later)}</p>`}${counts(view, parts)}${problemList(view, parts)}
${form(view, {
  action: `${here}/publish`,
  fields: html`<p class="soft">${texts.publishHint}</p>${actions(
    submitButton({ text: draft.address === null ? texts.publish : texts.publishFollow, look: 'primary' }),
    linkButton({ href: here, text: texts.correct }),
  )}`,
})}
${yearChart(view, { entries: compared.entries, calculated: parts.calculated })}${days(view, parts)}`,
  })
}
