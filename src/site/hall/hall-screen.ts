// A masjid's times of a day and a moment → a picture of the screen in its hall: clock, dates, adhan and iqamah, the next prayer,
// Jumu'ah. The screen itself (site/screen) is made of the same parts.

import { directionOf, type Language } from '../../accounts/languages.ts'
import { fill } from '../pieces/fill.ts'
import { type Html, html } from '../pieces/html.ts'
import { textsFor } from '../texts/texts.ts'
import { type HallLook, hallDates, hallTime } from './hall-look.ts'
import { type HallRow, hallSessions, hallTable } from './hall-table.ts'
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

const hallRow = (time: PrayerTime, state: string | false = false): HallRow => ({
  name: texts => nameOf(texts, time),
  adhan: time.adhan_local,
  iqamah: time.iqamah_local,
  state,
})

const stateOf = (now: string, time: PrayerTime, next: PrayerTime | undefined): string | false =>
  time === next ? 'hall-next-row' : comesAt(time) <= now && 'hall-past'

/** As large as the box it stands in. */
export const hallScreen = (parts: HallParts): Html => {
  const { name, language, now, today, jumuah } = parts
  const texts = textsFor(language)
  const look: HallLook = { languages: [language], clock: 'h23' }
  const next = nextOf(parts)
  const sessions = [...today.filter(({ prayer }) => prayer === 'jumuah'), ...jumuah]
  return html`<section class="hall" lang="${language}" dir="${directionOf(language)}" aria-label="${texts.hall.screen}">
<header><p class="hall-name"><bdi>${name}</bdi></p>${hallDates(look, now.slice(0, 10), today[0])}</header>
<div class="hall-main"><div class="hall-clock"><p class="hall-time">${hallTime(look, now)}</p>
<p class="hall-next">${next && fill(texts.hall.next, { prayer: nameOf(texts, next), time: hallTime(look, comesAt(next)) })}</p></div>
${hallTable(
  look,
  inOrder(today).map(time => hallRow(time, stateOf(now, time, next))),
)}</div>
${hallSessions(look, sessions)}</section>`
}
