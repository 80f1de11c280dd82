// Fields for where, when and how people agreed.
import { consentWays } from '../../../people/consent-records.ts'
import type { View } from '../../frame/view.ts'
import { selectField } from '../../pieces/choices.ts'
import { textArea, textField } from '../../pieces/form.ts'
import { type Html, html } from '../../pieces/html.ts'
import type { EvidenceForm } from './read-evidence.ts'

export const evidenceFields = (
  { texts }: View,
  values: EvidenceForm,
  words: Readonly<Record<string, string>> = {},
): Html => {
  const { consent } = texts.staffPeople
  const ways = consentWays.map(value => ({ value, label: consent.ways[value] }))
  return html`<div class="pair">${selectField({ name: 'given_how', label: consent.how, fault: words.given_how, chosen: [values.given_how], choices: [{ value: '', label: consent.chooseHow }, ...ways] })}
${textField({ name: 'given_on', label: consent.on, value: values.given_on, fault: words.given_on, type: 'date' })}</div>
${textArea({ name: 'evidence', label: consent.where, hint: consent.whereHint, value: values.evidence, fault: words.evidence, rows: 2 })}`
}
