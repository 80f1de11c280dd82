// A masjid's times of a day and a moment → the screen in its hall: clock, dates, adhan and iqamah, the next prayer, Jumu'ah.

import { directionOf, type Language } from '../../accounts/languages.ts'
import { fill } from '../pieces/fill.ts'
import { attributes, type Html, html } from '../pieces/html.ts'
import { textsFor } from '../texts/texts.ts'
import { clockWords, dateWords, hijriWords, languageWords } from './date-words.ts'
import { comesAt, inOrder, nameOf, type PrayerTime } from './prayer-time.ts'

export interface HallParts {
  readonly name: string
  readonly language: Language
  /** The moment on the masjid's clock, as `2026-11-16T19:45:00`. */
  readonly now: string
  /** The times of the day shown. */
  readonly today: readonly PrayerTime[]
  /** Fajr, shown as the next prayer after the last of today. */
  readonly tomorrow: readonly PrayerTime[]
  /** The coming Friday's, shown on other days. */
  readonly jumuah: readonly PrayerTime[]
}

const nextOf = ({ now, today, tomorrow }: HallParts): PrayerTime | undefined =>
  inOrder(today).find(time => comesAt(time) > now) ?? inOrder(tomorrow)[0]

const row = ({ language, now }: HallParts, time: PrayerTime, next: PrayerTime | undefined): Html => {
  const state = time === next ? 'hall-next-row' : comesAt(time) <= now && 'hall-past'
  return html`<tr${attributes({ class: state })}><th scope="row"><bdi>${nameOf(textsFor(language), time)}</bdi></th>
<td>${clockWords(language, time.adhan_local)}</td><td>${clockWords(language, time.iqamah_local)}</td></tr>`
}

const sessionLine = (language: Language, time: PrayerTime): Html => {
  const texts = textsFor(language)
  const about = [
    time.khutbah_local !== null && `${texts.hall.khutbah} ${clockWords(language, time.khutbah_local)}`,
    time.imam,
    time.language !== null && languageWords(language, time.language),
  ].filter(part => typeof part === 'string')
  return html`<li><strong>${clockWords(language, time.iqamah_local)}</strong> <bdi>${nameOf(texts, time)}</bdi>${about.map(part => html` · <bdi>${part}</bdi>`)}</li>`
}

const sessions = ({ language, today, jumuah }: HallParts): Html => {
  const shown = inOrder([...today.filter(({ prayer }) => prayer === 'jumuah'), ...jumuah])
  return html`${shown.length > 0 && html`<ul class="hall-sessions">${shown.map(time => sessionLine(language, time))}</ul>`}`
}

/** As large as the box it stands in. */
export const hallScreen = (parts: HallParts): Html => {
  const { name, language, now, today } = parts
  const texts = textsFor(language)
  const next = nextOf(parts)
  const [day] = today
  return html`<section class="hall" lang="${language}" dir="${directionOf(language)}" aria-label="${texts.hall.screen}">
<header><p class="hall-name"><bdi>${name}</bdi></p><p>${dateWords(language, now.slice(0, 10), 'full')}</p>
<p>${day && hijriWords(language, texts, day)}</p></header>
<div class="hall-main"><div class="hall-clock"><p class="hall-time">${clockWords(language, now)}</p>
<p class="hall-next">${next && fill(texts.hall.next, { prayer: nameOf(texts, next), time: clockWords(language, comesAt(next)) })}</p></div>
<table><thead><tr><th scope="col">${texts.staff.prayer}</th><th scope="col">${texts.hall.adhan}</th><th scope="col">${texts.hall.iqamah}</th></tr></thead>
<tbody>${inOrder(today).map(time => row(parts, time, next))}</tbody></table></div>
${sessions(parts)}</section>`
}
