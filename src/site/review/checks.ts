// Results of the automatic checks → a list that a reviewer can scan.
import type { MachineCheck } from '../../apps/machine-checks.ts'
import type { View } from '../frame/view.ts'
import { type Html, html } from '../pieces/html.ts'
import { badge } from '../pieces/notices.ts'

const checkLine = ({ texts }: View, { code, good, about }: MachineCheck): Html => {
  const { review } = texts
  const words = review.checkWords[code]
  return html`<li>${good ? badge(review.checkGood, 'good') : badge(review.checkLook, 'warn')} ${good ? words.good : words.bad}
${about.map(item => html` <code dir="auto">${item}</code>`)}</li>`
}

export const checkList = (view: View, checks: readonly MachineCheck[]): Html =>
  html`<section class="card"><h2>${view.texts.review.checks}</h2><ul class="plain-list checks">${checks.map(check => checkLine(view, check))}</ul></section>`
