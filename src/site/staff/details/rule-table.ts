// Rules for high latitudes, compared → a list: each with the times of today and of the solstice beside each other, and what it does over
// the year.
import type { ComparedTime, Jump, RuleComparison, RuleTimes } from '../../../prayer/comparing/compare-rules.ts'
import type { View } from '../../frame/view.ts'
import { clockWords } from '../../hall/clock.ts'
import { fill, fillCount } from '../../pieces/fill.ts'
import { type Html, html } from '../../pieces/html.ts'
import { badge } from '../../pieces/notices.ts'
import { nearDay } from '../times/day-words.ts'

/** From one day to the next the sun moves the times by a few minutes, near the polar circle by more. */
const LEAST_JUMP = 20

type Shown = Pick<RuleComparison, 'solstice'> & { readonly times: readonly ComparedTime[] }

const nameOf = ({ texts: { staff, staffDetails } }: View, time: ComparedTime): string =>
  time === 'sunrise' ? staffDetails.sunriseTitle : staff.prayers[time]

const jumpWords = (view: View, { today }: RuleComparison, { prayer, minutes, date }: Jump): Html => {
  const { jumps, noJump } = view.texts.staffDetails
  if (minutes < LEAST_JUMP) return fillCount(view.language, noJump, minutes)
  return fill(jumps, { minutes, prayer: nameOf(view, prayer), date: nearDay(view, date, today) })
}

const missingWords = (view: View, { times }: Shown, { missing }: RuleTimes): Html | false => {
  const counts = times.filter(time => missing[time] > 0).map(time => `${nameOf(view, time)} (${missing[time]})`)
  const list = new Intl.ListFormat(view.language, { type: 'unit' }).format(counts)
  return counts.length > 0 && html`<p>${fill(view.texts.staffDetails.missingDays, { list })}</p>`
}

const timesTable = (view: View, { times, solstice }: Shown, one: RuleTimes): Html => {
  const { staffDetails: texts, staff } = view.texts
  return html`<table><caption class="visually-hidden">${texts.rules[one.rule ?? '']}</caption>
<thead><tr><td></td><th scope="col">${staff.today}</th><th scope="col">${nearDay(view, solstice, solstice)}</th></tr></thead>
<tbody>${times.map(
    time =>
      html`<tr><th scope="row">${nameOf(view, time)}</th><td>${clockWords(view.language, one.today[time])}</td><td>${clockWords(view.language, one.solstice[time])}</td></tr>`,
  )}</tbody></table>`
}

export interface RuleTableParts {
  readonly rules: readonly RuleTimes[]
  /** The rule that the masjid has now, as in forms. */
  readonly inForce: string
  readonly times: readonly ComparedTime[]
}

export const ruleTable = (view: View, comparison: RuleComparison, { rules, inForce, times }: RuleTableParts): Html => {
  const { staffDetails: texts } = view.texts
  const shown = { solstice: comparison.solstice, times }
  return html`<ul class="plain-list compared-rules">${rules.map(
    one => html`<li><p><strong>${texts.rules[one.rule ?? '']}</strong> ${(one.rule ?? '') === inForce && badge(texts.inForce, 'good')}</p>
${timesTable(view, shown, one)}<p>${jumpWords(view, comparison, one.jump)}</p>${missingWords(view, shown, one)}</li>`,
  )}</ul>`
}
