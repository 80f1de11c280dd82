// What was published, what waits, what is followed, and a form for more → the first page of the timetables.
import type { StaffedMasjid } from '../../../capabilities/staffed-masjids.ts'
import type { DraftLine } from '../../../timetables/store/drafts.ts'
import type { TimesInForce } from '../../../timetables/store/given-times.ts'
import type { PublishedTimetable } from '../../../timetables/store/published.ts'
import type { View } from '../../frame/view.ts'
import { actions, linkButton, submitButton } from '../../pieces/buttons.ts'
import { fill, fillCount } from '../../pieces/fill.ts'
import { form, textArea, textField } from '../../pieces/form.ts'
import { type Html, html, nothing } from '../../pieces/html.ts'
import { badge, faultList } from '../../pieces/notices.ts'
import { ruleQuestionHint } from '../details/rule-question.ts'
import { staffPath } from '../sections.ts'
import { sheetField } from '../sheets/sheet-field.ts'
import { staffFrame } from '../staff-frame.ts'
import { shortDay, shortMoment } from './day-words.ts'
import { inForceWords } from './in-force.ts'
import { type LaterStart, startsLater } from './starts-later.ts'

export interface TimesParts {
  readonly masjid: StaffedMasjid
  readonly today: string
  readonly timetables: readonly PublishedTimetable[]
  /** What became of their times, by id. */
  readonly inForce: ReadonlyMap<string, TimesInForce>
  /** Those that begin later, by id. */
  readonly later: ReadonlyMap<string, LaterStart>
  readonly drafts: readonly DraftLine[]
  readonly sources: Html
  readonly done?: string | undefined
  readonly typed?: { readonly pasted: string; readonly address: string }
  readonly faults?: Readonly<Record<string, string | undefined>>
}

export const timesPath = (masjid: Pick<StaffedMasjid, 'slug'>, path = ''): string =>
  staffPath(masjid, path === '' ? 'times' : `times/${path}`)

const uploadForm = (view: View, { masjid, typed, faults = {} }: TimesParts): Html => {
  const { staffTimes: texts, common } = view.texts
  const { sheet, pasted, address } = faults
  return form(view, {
    action: timesPath(masjid, 'sheets'),
    large: true,
    fields: html`${sheetField(view, { hint: texts.fileHint, accept: '.csv,.tsv,.txt,.xlsx,.ics,text/csv,text/calendar', fault: sheet })}
${textArea({ name: 'pasted', label: texts.pasted, hint: texts.pastedHint, value: typed?.pasted ?? '', fault: pasted, optional: common.optional, rows: 4, code: true })}
${textField({ name: 'address', label: texts.address, hint: texts.addressHint, value: typed?.address ?? '', fault: address, optional: common.optional, type: 'url', attributes: { dir: 'ltr', inputmode: 'url' } })}
${actions(submitButton({ text: texts.read, look: 'primary' }))}`,
  })
}

const draftList = (view: View, { masjid, drafts }: TimesParts): Html => {
  const { staffTimes: texts } = view.texts
  if (drafts.length === 0) return nothing
  return html`<h2 class="spaced">${texts.drafts}</h2><ul class="plain-list">${drafts.map(
    ({ id, name, createdAt, sourceId }) =>
      html`<li class="card times-entry"><h3><bdi>${name}</bdi></h3><p class="soft">${
        sourceId === null
          ? fill(texts.draftLine, { when: shortMoment(view, masjid.timezone, createdAt) })
          : texts.draftOfSource
      }</p>${actions(linkButton({ href: timesPath(masjid, `drafts/${id}`), text: texts.resume, size: 'small', label: `${texts.resume}: ${name}` }))}</li>`,
  )}</ul>`
}

/** What people pray by, as far as it is not what was published. */
const truthOf = (view: View, { today, inForce, later }: TimesParts, { id }: PublishedTimetable): Html => {
  const [times, start] = [inForce.get(id), later.get(id)]
  return html`${start && html`<p>${startsLater(view, start)}</p>`}${times && inForceWords(view, times, today)}`
}

const entryOf = (view: View, parts: TimesParts, one: PublishedTimetable): Html => {
  const { masjid } = parts
  const { staffTimes: texts } = view.texts
  const when = shortMoment(view, masjid.timezone, one.publishedAt)
  const bySomebody =
    one.publishedBy === null ? fill(texts.on, { when }) : fill(texts.by, { name: one.publishedBy, when })
  const who = one.fromSource ? fill(texts.bySource, { when }) : bySomebody
  const counted = fillCount(view.language, one.kind === 'rules' ? texts.countedRules : texts.counted, one.count)
  const undo = linkButton({
    href: timesPath(masjid, `published/${one.id}/undo`),
    text: texts.undo,
    size: 'small',
    label: `${texts.undo}: ${one.name}`,
  })
  const rules = linkButton({
    href: timesPath(masjid, `published/${one.id}/rules`),
    text: texts.offerRules,
    size: 'small',
    label: `${texts.offerRules}: ${one.name}`,
  })
  return html`<li class="card times-entry"><h3><bdi>${one.name}</bdi> ${badge(texts.states[one.state], one.state === 'published' ? 'good' : 'info')}</h3>
<p>${fill(texts.range, { first: shortDay(view, one.firstDate), last: shortDay(view, one.lastDate) })} · ${counted}</p><p class="soft">${who}</p>${one.state === 'published' && truthOf(view, parts, one)}
${one.state === 'published' && actions(undo, ...(one.kind === 'days' ? [rules] : []))}</li>`
}

const publishedList = (view: View, parts: TimesParts): Html => {
  const { timetables } = parts
  const { staffTimes: texts } = view.texts
  return html`<h2 class="spaced">${texts.published}</h2>${
    timetables.length === 0
      ? html`<p>${texts.nonePublished}</p>`
      : html`<ul class="plain-list">${timetables.map(one => entryOf(view, parts, one))}</ul>`
  }`
}

const bringPart = (view: View, parts: TimesParts): Html => {
  const { staffTimes: texts } = view.texts
  return html`<p>${texts.lead}</p><section class="card"><h2>${texts.newTitle}</h2>${uploadForm(view, parts)}</section>`
}

const listsPart = (view: View, parts: TimesParts): Html =>
  html`${draftList(view, parts)}${parts.sources}${publishedList(view, parts)}`

/** Whoever has just published something wants to see it; everybody else, to bring something. */
const mainPart = (view: View, parts: TimesParts): Html => {
  if (parts.done === undefined) return html`${bringPart(view, parts)}${listsPart(view, parts)}`
  const week = { href: staffPath(parts.masjid, 'week'), text: view.texts.staffTimes.seeWeek, look: 'primary' } as const
  return html`${actions(linkButton(week))}${listsPart(view, parts)}<div class="spaced">${bringPart(view, parts)}</div>`
}

export const timesPage = (view: View, parts: TimesParts): Html => {
  const { masjid, done, faults = {} } = parts
  const faulty = Object.values(faults).some(fault => fault !== undefined)
  return staffFrame(view, {
    masjid,
    section: 'times',
    done,
    faulty,
    main: html`${ruleQuestionHint(view, masjid)}${faultList(view, faults)}${mainPart(view, parts)}`,
  })
}
