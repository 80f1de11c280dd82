// The days of a month → its table, with links to the months before and after.
import { dayNumberOf } from '../../base/civil-date.ts'
import { dailyPrayers } from '../../prayer/daily-prayers.ts'
import type { View } from '../frame/view.ts'
import { type ClockCycle, tableClock } from '../hall/clock.ts'
import { dateWords, monthName, numberWords } from '../hall/date-words.ts'
import type { Prayer } from '../hall/prayer-time.ts'
import { fillText } from '../pieces/fill.ts'
import { attributes, type Html, html } from '../pieces/html.ts'
import type { PublicTime } from './public-time.ts'
import type { PublicDay } from './public-times.ts'

export interface MonthParts {
  /** `2026-12` */
  readonly month: string
  readonly today: string
  readonly days: readonly PublicDay[]
  readonly clock: ClockCycle
  readonly href: (month: string) => string
  /** On paper the month is a page of its own. */
  readonly name: string
}

/** Times are calculated 400 days ahead; a month back is for those who look something up. */
const MONTHS_BACK = 1
const MONTHS_AHEAD = 12

const addMonths = (month: string, count: number): string => {
  const [year = 0, number = 0] = month.split('-').map(Number)
  return new Date(Date.UTC(year, number - 1 + count, 1)).toISOString().slice(0, 7)
}

/** A month that may be shown; the current one for anything else. */
export const readMonth = (text: string, today: string): string => {
  const current = today.slice(0, 7)
  const known = /^\d{4}-(0[1-9]|1[0-2])$/.test(text)
  return known && text >= addMonths(current, -MONTHS_BACK) && text <= addMonths(current, MONTHS_AHEAD) ? text : current
}

const timeOf = ({ times }: PublicDay, prayer: Prayer): PublicTime | undefined =>
  times.find(time => time.prayer === prayer && time.session === 1)

const hijriOf = (view: View, { times: [time] }: PublicDay): string => {
  if (time === undefined) return ''
  const day = numberWords(view.language, time.hijri_day)
  return time.hijri_day === 1 ? `${day} ${monthName(view.texts, time.hijri_month)}` : day
}

const cell = (view: View, clock: ClockCycle, time: PublicTime | undefined): Html => {
  const iqamah = time?.iqamah_local ?? null
  return html`<td>${tableClock(view.language, time?.adhan_local ?? null, clock)}${iqamah !== null && html` <strong>${tableClock(view.language, iqamah, clock)}</strong>`}</td>`
}

const isFriday = (date: string): boolean => (dayNumberOf(date) + 4) % 7 === 5

const dayRow = (view: View, { today, clock }: MonthParts, day: PublicDay): Html =>
  html`<tr${attributes({ class: isFriday(day.date) && 'friday', 'aria-current': day.date === today && 'date' })}><th scope="row">${dateWords(view.language, day.date, 'weekday')} ${dateWords(view.language, day.date, 'day')}</th>
<td class="hijri">${hijriOf(view, day)}</td>${cell(view, clock, timeOf(day, 'fajr'))}<td class="sun">${tableClock(view.language, day.sunrise, clock)}</td>${dailyPrayers
    .slice(1)
    .map(prayer => cell(view, clock, timeOf(day, prayer)))}</tr>`

const monthTable = (view: View, parts: MonthParts, caption: string): Html => {
  const { masjidPage: texts, staff } = view.texts
  const [fajr, ...others] = dailyPrayers.map(prayer => staff.prayers[prayer])
  const heads = [texts.date, texts.hijri, fajr, texts.sunrise, ...others]
  return html`<div class="table-frame" role="region" aria-label="${caption}" tabindex="0"><table class="month-times"><caption class="visually-hidden">${caption}</caption>
<thead><tr>${heads.map(head => html`<th scope="col">${head}</th>`)}</tr></thead>
<tbody>${parts.days.map(day => dayRow(view, parts, day))}</tbody></table></div>`
}

const neighbours = (view: View, { month, today, href }: MonthParts): Html => {
  const { previousMonth, nextMonth } = view.texts.masjidPage
  const link = (to: string, text: string, rel: 'prev' | 'next'): Html | false =>
    readMonth(to, today) === to && html`<a class="button small" rel="${rel}" href="${href(to)}#month">${text}</a>`
  return html`<p class="actions month-links">${link(addMonths(month, -1), previousMonth, 'prev')}${link(addMonths(month, 1), nextMonth, 'next')}</p>`
}

/** Of a month that is calculated as a whole, the page says so elsewhere. */
const hasBoth = (days: readonly PublicDay[]): boolean =>
  days.some(({ isUnstored }) => isUnstored) && days.some(({ isUnstored }) => !isUnstored)

export const monthSection = (view: View, parts: MonthParts): Html => {
  const { masjidPage: texts } = view.texts
  const words = fillText(texts.monthOf, { month: dateWords(view.language, `${parts.month}-01`, 'month') })
  return html`<section id="month" class="month"><p class="print-only"><bdi>${parts.name}</bdi></p><h2>${words}</h2>
${parts.days.length === 0 ? html`<p>${texts.noMonth}</p>` : monthTable(view, parts, words)}
${neighbours(view, parts)}
${hasBoth(parts.days) && html`<p class="soft small">${texts.partlyCalculated}</p>`}<p class="soft small no-print">${texts.monthHint}</p></section>`
}
