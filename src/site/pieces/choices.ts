// Form controls for choices: select, radio buttons, checkboxes.

import type { FieldParts } from './form.ts'
import { attributes, type Html, html } from './html.ts'

export interface Choice {
  readonly value: string
  readonly label: string
  readonly hint?: string
  readonly badge?: Html
}

export interface ChoiceParts extends Omit<FieldParts, 'value' | 'optional'> {
  readonly choices: readonly Choice[]
  readonly chosen: readonly string[]
}

const faultWords = (fault: string | undefined, id: string): Html =>
  html`${fault && html`<p class="fault" id="${id}-fault">${fault}</p>`}`

/** A value that is not offered is offered all the same if it stands: otherwise the browser would choose another one, unasked. */
const withStanding = (choices: readonly Choice[], chosen: readonly string[]): readonly Choice[] => [
  ...choices,
  ...chosen
    .filter(value => value !== '' && !choices.some(choice => choice.value === value))
    .map(value => ({ value, label: value })),
]

export const selectField = ({ name, id = name, label, hint, fault, choices, chosen }: ChoiceParts): Html =>
  html`<div class="field${fault ? ' has-fault' : ''}"><label for="${id}">${label}</label>
${hint && html`<p class="hint" id="${id}-hint">${hint}</p>`}${faultWords(fault, id)}<select${attributes({
    id,
    name,
    'aria-describedby': [hint && `${id}-hint`, fault && `${id}-fault`].filter(Boolean).join(' ') || undefined,
    'aria-invalid': fault && 'true',
  })}>
${withStanding(choices, chosen).map(
  ({ value, label: text }) =>
    html`<option value="${value}"${attributes({ selected: chosen.includes(value) })}>${text}</option>`,
)}</select></div>`

const choiceLine = (kind: 'radio' | 'checkbox', parts: ChoiceParts, choice: Choice): Html => {
  const id = `${parts.id ?? parts.name}-${choice.value.replaceAll(/\W/g, '-')}`
  return html`<div class="choice"><input${attributes({
    type: kind,
    id,
    name: parts.name,
    value: choice.value,
    checked: parts.chosen.includes(choice.value),
    'aria-describedby': choice.hint === undefined ? undefined : `${id}-hint`,
  })}><label for="${id}">${choice.label} ${choice.badge}</label>${
    choice.hint && html`<p class="hint" id="${id}-hint">${choice.hint}</p>`
  }</div>`
}

const choiceGroup = (kind: 'radio' | 'checkbox', parts: ChoiceParts): Html => {
  const id = parts.id ?? parts.name
  const described = [parts.hint && `${id}-hint`, parts.fault && `${id}-fault`].filter(Boolean).join(' ')
  return html`<fieldset class="field${parts.fault ? ' has-fault' : ''}"${attributes({
    id,
    'aria-describedby': described || undefined,
  })}>
<legend>${parts.label}</legend>
${parts.hint && html`<p class="hint" id="${id}-hint">${parts.hint}</p>`}${faultWords(parts.fault, id)}
${parts.choices.map(choice => choiceLine(kind, parts, choice))}
</fieldset>`
}

export const radioGroup = (parts: ChoiceParts): Html => choiceGroup('radio', parts)

export const checkboxGroup = (parts: ChoiceParts): Html => choiceGroup('checkbox', parts)

/** A single yes or no. */
export const checkbox = (parts: { readonly name: string; readonly value: string; readonly label: string }): Html =>
  html`<div class="choice"><input${attributes({ type: 'checkbox', id: parts.name, name: parts.name, value: parts.value })}><label for="${parts.name}">${parts.label}</label></div>`
