// A change that was tried → the days before and after, the screen in the hall as it will look, and the form that publishes it.
import type { StaffedMasjid } from '../../../capabilities/staffed-masjids.ts'
import type { View } from '../../frame/view.ts'
import { clockWords } from '../../hall/clock.ts'
import { dateWords } from '../../hall/date-words.ts'
import { hallScreen } from '../../hall/hall-screen.ts'
import { comesAt, type PrayerTime } from '../../hall/prayer-time.ts'
import { actions, submitButton } from '../../pieces/buttons.ts'
import { radioGroup } from '../../pieces/choices.ts'
import { table } from '../../pieces/data.ts'
import { antiForgeryField, form, textField } from '../../pieces/form.ts'
import { type Html, html } from '../../pieces/html.ts'
import { faultList, notice } from '../../pieces/notices.ts'
import { staffPath } from '../sections.ts'
import { staffFrame } from '../staff-frame.ts'
import type { Change, ChangeValues } from './change-values.ts'
import { changeWords, ruleWords, type SeasonalRule, seasonWords } from './rule-words.ts'
import { askReplacing, expectedTimetables, timetableAfter } from './timetable-notices.ts'
import type { TimetablesOfChange } from './timetables-of-change.ts'
import { expectedRules, type Tried } from './try-change.ts'

export interface PublishValues {
  readonly when: string
  readonly publish_date: string
  readonly publish_time: string
  /** `yes`: days of published timetables are to be replaced. */
  readonly replace_timetables: string
  /** Which days were shown, as JSON; empty: none. */
  readonly expected_timetables: string
}

export type PublishFaults = Readonly<Partial<Record<keyof PublishValues, string>>>

export interface PreviewParts {
  readonly masjid: StaffedMasjid
  readonly values: ChangeValues
  readonly change: Change
  readonly tried: Tried
  readonly timetables: TimetablesOfChange
  readonly publish: PublishValues
  readonly faults: PublishFaults
  readonly refusal?: string | undefined
}

const shownIqamah = (view: View, times: readonly PrayerTime[], date: string): string => {
  const time = times.find(row => row.date === date)
  return time === undefined ? view.texts.week.notHeld : clockWords(view.language, time.iqamah_local)
}

const comparison = (view: View, { before, after }: Tried): Html => {
  const { week } = view.texts
  const dates = [...new Set([...before.ofPrayer, ...after.ofPrayer].map(({ date }) => date))].sort()
  const rows = dates.map(date => {
    const [was, will] = [shownIqamah(view, before.ofPrayer, date), shownIqamah(view, after.ofPrayer, date)]
    return [dateWords(view.language, date, 'short'), was, was === will ? will : html`<strong>${will}</strong>`]
  })
  return html`${table({ caption: week.previewTitle, head: [week.day, week.before, week.after], rows })}`
}

/** Rules that still hold at some time after the change. */
const rulesThatStay = (view: View, { after, ruleId, endsOn }: Tried, { first_on }: Change): Html | false => {
  const stays = ({ id, valid }: SeasonalRule): boolean => {
    const [start = '', end = ''] = valid.slice(1, -1).split(',')
    return id !== ruleId && (end === '' || end > first_on) && (endsOn === null || start <= endsOn)
  }
  const rules = after.rules.filter(stays)
  return (
    rules.length > 0 &&
    html`<p>${view.texts.week.rulesThatStay}</p><ul>${rules.map(rule => html`<li><bdi>${seasonWords(view, rule)}: ${ruleWords(view, rule)}</bdi></li>`)}</ul>`
  )
}

/** A quarter of an hour before the prayer that changes. */
const momentOf = ({ after, day }: Tried, { prayer, session }: Change): string => {
  const time = after.days.find(row => row.date === day && row.prayer === prayer && row.session === session)
  const at = time === undefined || comesAt(time) === '' ? `${day}T12:00:00` : comesAt(time)
  return new Date(Date.parse(`${at.slice(0, 19)}Z`) - 15 * 60_000).toISOString().slice(0, 19)
}

const hallPreview = ({ language }: View, { masjid, tried, change }: PreviewParts): Html => {
  const { after, day } = tried
  const name = (language === 'ar' && masjid.nameArabic) || masjid.name
  return html`<div class="hall-frame">${hallScreen({
    name,
    language,
    now: momentOf(tried, change),
    today: after.days.filter(({ date }) => date === day),
    tomorrow: after.days.filter(({ date }) => date !== day),
    jumuah: after.jumuah.filter(({ date }) => date !== day),
  })}</div>`
}

const publishForm = (view: View, parts: PreviewParts): Html => {
  const { masjid, values, tried, publish, faults } = parts
  const { week } = view.texts
  return form(view, {
    action: staffPath(masjid, 'week/publish'),
    hidden: { ...values, expected: JSON.stringify(expectedRules(tried.before.rules)), ...expectedTimetables(tried) },
    fields: html`${askReplacing(view, parts)}${radioGroup({
      name: 'when',
      label: week.when,
      fault: faults.when,
      choices: (['now', 'set'] as const).map(value => ({ value, label: week.whenOptions[value] })),
      chosen: [publish.when],
    })}<div class="when-set"><p class="hint">${week.publishHint}</p><div class="side-by-side">${textField({
      name: 'publish_date',
      label: week.publishDate,
      value: publish.publish_date,
      fault: faults.publish_date,
      type: 'date',
    })}${textField({
      name: 'publish_time',
      label: week.publishTime,
      value: publish.publish_time,
      fault: faults.publish_time,
      type: 'time',
    })}</div></div>${actions(submitButton({ text: week.publish, look: 'primary' }))}`,
  })
}

/** Back to the form, with everything that was typed. */
const editForm = (view: View, { masjid, values }: PreviewParts): Html =>
  html`<form method="post" action="${staffPath(masjid, 'week/edit')}">${antiForgeryField(view)}${Object.entries(
    values,
  ).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  )}${submitButton({ text: view.texts.week.edit })}</form>`

export const previewPage = (view: View, parts: PreviewParts): Html => {
  const { masjid, change, tried, faults, refusal } = parts
  const { week } = view.texts
  return staffFrame(view, {
    masjid,
    section: 'week',
    title: week.previewTitle,
    faulty: Object.keys(faults).length > 0 || refusal !== undefined,
    main: html`${faultList(view, faults)}${refusal !== undefined && notice({ tone: 'bad', text: html`<bdi>${refusal}</bdi>` })}
<p class="lead"><strong><bdi>${changeWords(view, { ...change, ends_on: tried.endsOn })}</bdi></strong><br>${week.previewLead}</p>
${timetableAfter(view, parts.timetables)}
${hallPreview(view, parts)}${comparison(view, tried)}${rulesThatStay(view, tried, change)}
<div class="card form-card publish-form"><h2>${week.publishTitle}</h2>${publishForm(view, parts)}</div>${editForm(view, parts)}`,
  })
}
