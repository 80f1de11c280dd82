// The scopes of an app as typed → two groups of checkboxes: what it may know and read, and what it may change.
import { isScope, isWriteScope, readTwinOf, type Scope, scopeDescriptions } from '../../access/scopes.ts'
import type { FormValues } from '../frame/form-body.ts'
import type { View } from '../frame/view.ts'
import { type Choice, checkboxGroup } from '../pieces/choices.ts'
import { fillText } from '../pieces/fill.ts'
import { type Html, html } from '../pieces/html.ts'
import { scopeBadges } from '../pieces/scope-badges.ts'
import type { Texts } from '../texts/texts.ts'
import { fieldIds } from './field-faults.ts'

const PAIR = 'read_what_it_changes'

interface ScopeFieldsParts {
  readonly chosen: readonly string[]
  readonly fault: string | undefined
}

const hintOf = ({ scopes, appForm }: Texts, scope: Scope, tables: string | undefined): string => {
  const opens = scopes[scope].title + (tables === undefined ? '' : `: ${tables}`)
  const twin = readTwinOf(scope)
  return twin === undefined ? opens : `${opens} · ${fillText(appForm.usuallyWith, { scope: twin })}`
}

const choicesWhere = (texts: Texts, chosen: (scope: Scope) => boolean): Choice[] =>
  scopeDescriptions
    .filter(({ name }) => chosen(name))
    .map(({ name, tables }) => ({
      value: name,
      label: name,
      hint: hintOf(texts, name, tables),
      badge: scopeBadges(texts, name),
    }))

/** Offered to whoever starts to ask for writing; who left reading out before is not asked again. */
const pairField = ({ texts }: View, chosen: readonly string[]): Html => {
  const { appForm } = texts
  const writes = chosen.some(scope => isScope(scope) && isWriteScope(scope))
  return checkboxGroup({
    name: PAIR,
    label: appForm.pair,
    chosen: writes ? [] : ['yes'],
    choices: [{ value: 'yes', label: appForm.pairLabel, hint: appForm.pairHint }],
  })
}

export const scopeFields = (view: View, { chosen, fault }: ScopeFieldsParts): Html => {
  const { appForm } = view.texts
  return html`${checkboxGroup({ name: fieldIds.scopes, label: appForm.scopes, hint: appForm.scopesHint, fault, chosen, choices: choicesWhere(view.texts, scope => !isWriteScope(scope)) })}
${checkboxGroup({ name: fieldIds.scopes, id: 'write_scopes', label: appForm.writeScopes, hint: appForm.writeScopesHint, chosen, choices: choicesWhere(view.texts, isWriteScope) })}
${pairField(view, chosen)}`
}

/** The ticked scopes and, if wanted, the read scope beside each write scope. */
export const readScopeFields = (form: FormValues): string[] => {
  const ticked = form.list(fieldIds.scopes)
  const twins = form.list(PAIR).includes('yes')
    ? ticked.flatMap(scope => (isScope(scope) ? (readTwinOf(scope) ?? []) : []))
    : []
  return [...new Set([...ticked, ...twins])]
}
