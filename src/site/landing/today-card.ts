// A masjid of the sandbox and its times → the card that shows what an answer can become.
import type { View } from '../frame/view.ts'
import { clockCycleOf } from '../hall/clock.ts'
import { dateWords, hijriWords } from '../hall/date-words.ts'
import { nameIn } from '../masjid/public-masjid.ts'
import { nextPrayer, timesTable } from '../masjid/today-section.ts'
import { fill } from '../pieces/fill.ts'
import { type Html, html } from '../pieces/html.ts'
import type { Showcase } from './showcase.ts'
import type { LandingTexts } from './texts.ts'

export const TODAYS_TIMES = '/explorer?example=todays-times'

export const todayCard = (view: View, texts: LandingTexts, { masjid, times }: Showcase): Html => {
  const parts = { times, clock: clockCycleOf(masjid.country) }
  const [first] = times.day.times
  const place = [masjid.city, masjid.state].filter(part => part !== null).join(', ')
  return html`<section class="card today-card" aria-labelledby="example-title">
<h2 id="example-title">${fill(texts.today.title, { name: nameIn(view.language, masjid) })} <span class="badge">${texts.today.sandbox}</span></h2>
<p class="soft"><bdi>${place}</bdi> · <time datetime="${times.today}">${dateWords(view.language, times.today)}</time>${
    first !== undefined && html` · ${hijriWords(view.language, view.texts, first)}`
  }</p>
${nextPrayer(view, parts)}${timesTable(view, parts)}
<p><a href="${TODAYS_TIMES}">${texts.today.ask}</a></p></section>`
}
