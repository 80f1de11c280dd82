// A masjid's times of today → the next prayer, the table of the day, and the sessions of Jumu'ah.
import type { View } from '../frame/view.ts'
import { type ClockCycle, clockWords } from '../hall/clock.ts'
import { dateWords, languageWords } from '../hall/date-words.ts'
import { inOrder, isDaily, nameOf } from '../hall/prayer-time.ts'
import { attributes, type Html, html, nothing } from '../pieces/html.ts'
import { otherNames, type PublicTime } from './public-time.ts'
import { comesOn, type PublicTimes } from './public-times.ts'

export interface TodayParts {
  readonly times: PublicTimes
  readonly clock: ClockCycle
}

/** An instant for machines, and the masjid's clock for people. */
const clockOf = (view: View, clock: ClockCycle, local: string | null, at?: string | null): Html =>
  at == null
    ? html`${clockWords(view.language, local, clock)}`
    : html`<time datetime="${new Date(at).toISOString()}">${clockWords(view.language, local, clock)}</time>`

export const nextPrayer = (view: View, { times: { next, today }, clock }: TodayParts): Html => {
  if (next === undefined) return nothing
  const { masjidPage: texts, hall } = view.texts
  const line = (word: string, local: string | null, at: string | null): Html =>
    html`${local !== null && html`<span class="next-part"><span class="soft">${word}</span> ${clockOf(view, clock, local, at)}</span> `}`
  return html`<section class="card next-prayer" aria-labelledby="next-title"><h2 id="next-title">${texts.next}</h2>
<p class="next-name"><bdi>${nameOf(view.texts, next)}</bdi>${next.date > today && html` <span class="soft">${texts.nextTomorrow}</span>`}</p>
<p class="next-times">${next.prayer !== 'jumuah' && line(hall.adhan, next.adhan_local, next.adhan_at)}${line(hall.khutbah, next.khutbah_local, null)}${line(hall.iqamah, next.iqamah_local, next.iqamah_at)}</p></section>`
}

const timeRow = (view: View, { times: { now, next }, clock }: TodayParts, time: PublicTime): Html => {
  const past = (comesOn(time)?.getTime() ?? Number.POSITIVE_INFINITY) <= now.getTime()
  const state = time === next ? 'is-next' : past && 'is-past'
  return html`<tr${attributes({ class: state, 'aria-current': time === next && 'time' })}><th scope="row"><bdi>${nameOf(view.texts, time)}</bdi></th>
<td>${clockOf(view, clock, time.adhan_local, time.adhan_at)}</td><td>${clockOf(view, clock, time.iqamah_local, time.iqamah_at)}</td></tr>`
}

const sunriseRow = (view: View, { times: { day }, clock }: TodayParts): Html =>
  html`${day.sunrise !== null && html`<tr class="sunrise"><th scope="row">${view.texts.masjidPage.sunrise}</th><td>${clockOf(view, clock, day.sunrise)}</td><td></td></tr>`}`

export const timesTable = (view: View, parts: TodayParts): Html => {
  const { masjidPage: texts, hall } = view.texts
  const shown = inOrder(parts.times.day.times.filter(({ prayer }) => prayer !== 'jumuah')) as PublicTime[]
  return html`<table class="day-times"><thead><tr><th scope="col">${texts.prayer}</th><th scope="col">${hall.adhan}</th><th scope="col">${hall.iqamah}</th></tr></thead>
<tbody>${shown.map(time => html`${timeRow(view, parts, time)}${time.prayer === 'fajr' && sunriseRow(view, parts)}`)}</tbody></table>`
}

/** One quiet line. */
const otherTimes = (view: View, { times: { day }, clock }: TodayParts): Html => {
  const { others } = view.texts.masjidPage
  const known = otherNames.filter(name => day.others[name] !== null)
  const items = known.map(name => html`<li>${others[name]} ${clockOf(view, clock, day.others[name])}</li>`)
  return html`${items.length > 0 && html`<ul class="plain-list other-times soft small">${items}</ul>`}`
}

export const todaySection = (view: View, parts: TodayParts): Html => {
  const { masjidPage: texts } = view.texts
  const { day } = parts.times
  const none = day.times.every(({ iqamah_local }) => iqamah_local === null)
  return html`<section class="card" aria-labelledby="today-title"><h2 id="today-title">${texts.today}</h2>
${day.times.length === 0 ? html`<p>${texts.noTimes}</p>` : html`<div class="day-frame">${timesTable(view, parts)}</div>`}${otherTimes(view, parts)}${
  day.times.some(({ prayer }) => isDaily(prayer)) && none && html`<p class="soft small">${texts.calculated}</p>`
}</section>`
}

const sessionLine = (view: View, clock: ClockCycle, time: PublicTime): Html => {
  const { hall } = view.texts
  const about = [
    time.khutbah_local !== null && `${hall.khutbah} ${clockWords(view.language, time.khutbah_local, clock)}`,
    time.imam,
    time.language !== null && languageWords(view.language, time.language),
  ].filter(part => typeof part === 'string')
  return html`<li><strong>${clockOf(view, clock, time.iqamah_local ?? time.adhan_local, time.iqamah_at ?? time.adhan_at)}</strong> <bdi>${nameOf(view.texts, time)}</bdi>${about.map(part => html` · <bdi>${part}</bdi>`)}</li>`
}

export const jumuahSessions = (view: View, { times: { jumuah }, clock }: TodayParts): Html =>
  html`<ul class="plain-list sessions">${(inOrder(jumuah) as PublicTime[]).map(time => sessionLine(view, clock, time))}</ul>`

export const jumuahSection = (view: View, parts: TodayParts): Html => {
  const [first] = parts.times.jumuah
  if (first === undefined) return nothing
  return html`<section class="card" aria-labelledby="jumuah-title"><h2 id="jumuah-title">${view.texts.staff.prayers.jumuah} <span class="soft">${dateWords(view.language, first.date)}</span></h2>
${jumuahSessions(view, parts)}</section>`
}
