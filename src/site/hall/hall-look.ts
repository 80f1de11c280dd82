// The languages and the clock of a screen in the hall → its words, side by side in each language.
import { directionOf, type Language } from '../../accounts/languages.ts'
import { type Html, html } from '../pieces/html.ts'
import { type Texts, textsFor } from '../texts/texts.ts'
import { type ClockCycle, clockWords } from './clock.ts'
import { dateWords, type HijriDay, hijriWords } from './date-words.ts'

export interface HallLook {
  /** One, or two for a bilingual screen; the first decides the direction and the digits. */
  readonly languages: readonly [Language, ...Language[]]
  readonly clock: ClockCycle
}

export const inEach = ({ languages }: HallLook, words: (texts: Texts, language: Language) => string): Html =>
  html`${languages.map(
    language =>
      html`<span class="hall-words" lang="${language}" dir="${directionOf(language)}">${words(textsFor(language), language)}</span> `,
  )}`

export const hallTime = ({ languages: [language], clock }: HallLook, local: string | null): string =>
  clockWords(language, local, clock)

export const hallDates = (look: HallLook, date: string, hijri: HijriDay | undefined): Html =>
  html`<p class="hall-date">${inEach(look, (_, language) => dateWords(language, date, 'full'))}</p>
<p class="hall-date">${hijri && inEach(look, (texts, language) => hijriWords(language, texts, hijri))}</p>`
