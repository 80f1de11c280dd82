// A masjid whose rule for high latitudes an upgrade wrote down → the question whether it stays, with the times of both meanings.
import type { StaffedMasjid } from '../../../capabilities/staffed-masjids.ts'
import type { RuleComparison } from '../../../prayer/comparing/compare-rules.ts'
import type { View } from '../../frame/view.ts'
import { actions, submitButton } from '../../pieces/buttons.ts'
import { form } from '../../pieces/form.ts'
import { type Html, html } from '../../pieces/html.ts'
import { notice } from '../../pieces/notices.ts'
import { staffPath } from '../sections.ts'
import { ruleTable } from './rule-table.ts'

const isAsked = ({ ruleToConfirm, capabilities }: StaffedMasjid): boolean =>
  ruleToConfirm && capabilities.includes('times')

export interface RuleQuestion {
  readonly masjid: StaffedMasjid
  readonly version: string
  readonly comparison: RuleComparison | undefined
}

export const ruleQuestion = (view: View, { masjid, version, comparison }: RuleQuestion): Html | false => {
  const { staffDetails: texts } = view.texts
  if (!isAsked(masjid)) return false
  const rules = comparison?.rules.filter(({ rule }) => rule === 'seventh_of_the_night' || rule === null) ?? []
  return html`<section class="card form-card" id="rule-question"><h2>${texts.questionTitle}</h2><p>${texts.question}</p>${
    comparison !== undefined &&
    ruleTable(view, comparison, { rules: rules.toReversed(), inForce: 'seventh_of_the_night', times: ['fajr', 'isha'] })
  }${form(view, {
    action: staffPath(masjid, 'details/rule'),
    hidden: { version },
    fields: actions(
      submitButton({ text: texts.keepRule, name: 'answer', value: 'keep' }),
      submitButton({ text: texts.useAngle, name: 'answer', value: 'angle' }),
    ),
  })}</section>`
}

/** On other pages of those who look after times. */
export const ruleQuestionHint = (view: View, masjid: StaffedMasjid): Html | false => {
  const { staffDetails: texts } = view.texts
  const link = html`<a href="${staffPath(masjid, 'details')}#rule-question">${texts.questionLink}</a>`
  return isAsked(masjid) && notice({ tone: 'warn', text: html`${texts.questionHint} ${link}` })
}
