// The times of a day → the table of a screen in the hall, and the list of its Jumu'ah sessions.
import { attributes, type Html, html } from '../pieces/html.ts'
import type { Texts } from '../texts/texts.ts'
import { languageWords } from './date-words.ts'
import { type HallLook, hallTime, inEach } from './hall-look.ts'
import { inOrder, nameOf, type PrayerTime } from './prayer-time.ts'

export interface HallRow {
  readonly name: (texts: Texts) => string
  /** On the masjid's clock. */
  readonly adhan: string | null
  readonly iqamah: string | null
  readonly state?: string | false
}

const rowOf = (look: HallLook, { name, adhan, iqamah, state = false }: HallRow): Html =>
  html`<tr${attributes({ class: state })}><th scope="row">${inEach(look, name)}</th><td>${hallTime(look, adhan)}</td><td>${hallTime(look, iqamah)}</td></tr>`

export const hallTable = (look: HallLook, rows: readonly HallRow[]): Html =>
  html`<table><thead><tr><th scope="col">${inEach(look, ({ staff }) => staff.prayer)}</th><th scope="col">${inEach(look, ({ hall }) => hall.adhan)}</th><th scope="col">${inEach(look, ({ hall }) => hall.iqamah)}</th></tr></thead>
<tbody>${rows.map(row => rowOf(look, row))}</tbody></table>`

const sessionLine = (look: HallLook, time: PrayerTime): Html => {
  const [language] = look.languages
  const about = [time.imam, time.language !== null && languageWords(language, time.language)].filter(
    part => typeof part === 'string',
  )
  return html`<li><strong>${hallTime(look, time.iqamah_local)}</strong> ${inEach(look, texts => nameOf(texts, time))}${
    time.khutbah_local !== null &&
    html` · ${inEach(look, ({ hall }) => hall.khutbah)} ${hallTime(look, time.khutbah_local)}`
  }${about.map(part => html` · <bdi>${part}</bdi>`)}</li>`
}

export const hallSessions = (look: HallLook, sessions: readonly PrayerTime[]): Html =>
  html`${sessions.length > 0 && html`<ul class="hall-sessions">${inOrder(sessions).map(time => sessionLine(look, time))}</ul>`}`
