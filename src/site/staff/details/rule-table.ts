// Rules for high latitudes, compared → a table: each with the times of today and of the solstice, and what it does over the year.
import type {
  ComparedTime,
  Jump,
  LocalTimes,
  RuleComparison,
  RuleTimes,
} from '../../../prayer/comparing/compare-rules.ts'
import type { View } from '../../frame/view.ts'
import { clockWords } from '../../hall/clock.ts'
import { table } from '../../pieces/data.ts'
import { fill, fillCount } from '../../pieces/fill.ts'
import { type Html, html } from '../../pieces/html.ts'
import { badge } from '../../pieces/notices.ts'
import { nearDay } from '../times/day-words.ts'

/** From one day to the next the sun moves the times by a few minutes, near the polar circle by more. */
const LEAST_JUMP = 20

const nameOf = ({ texts: { staff, staffDetails } }: View, time: ComparedTime): string =>
  time === 'sunrise' ? staffDetails.sunriseTitle : staff.prayers[time]

const timesCell = (view: View, { differing }: RuleComparison, times: LocalTimes): Html =>
  html`<ul class="rule-times">${differing.map(
    time => html`<li><span>${nameOf(view, time)}</span> <bdi>${clockWords(view.language, times[time])}</bdi></li>`,
  )}</ul>`

const jumpWords = (view: View, { today }: RuleComparison, { prayer, minutes, date }: Jump): Html => {
  const { jumps, noJump } = view.texts.staffDetails
  if (minutes < LEAST_JUMP) return fillCount(view.language, noJump, minutes)
  return fill(jumps, { minutes, prayer: nameOf(view, prayer), date: nearDay(view, date, today) })
}

const yearCell = (view: View, comparison: RuleComparison, { jump, missing }: RuleTimes): Html => {
  const { missingDays } = view.texts.staffDetails
  const absent = comparison.differing.filter(time => missing[time] > 0)
  return html`<p>${jumpWords(view, comparison, jump)}</p>${absent.map(
    time => html`<p>${nameOf(view, time)}: ${fillCount(view.language, missingDays, missing[time])}</p>`,
  )}`
}

/** @param inForce the rule that the masjid has now, if that is to be said */
export const ruleTable = (
  view: View,
  comparison: RuleComparison,
  { rules, inForce }: { readonly rules: readonly RuleTimes[]; readonly inForce?: string },
): Html => {
  const { staffDetails: texts, staff } = view.texts
  const solstice = nearDay(view, comparison.solstice, comparison.solstice)
  const head = [texts.rule, staff.today, solstice, texts.overYear]
  const rows = rules.map(one => [
    html`${texts.rules[one.rule ?? '']} ${one.rule === inForce || (one.rule === null && inForce === '') ? badge(texts.inForce, 'good') : false}`,
    timesCell(view, comparison, one.today),
    timesCell(view, comparison, one.solstice),
    yearCell(view, comparison, one),
  ])
  return table({ caption: texts.ruleTable, head, rows, cards: true })
}
