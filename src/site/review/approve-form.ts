// A reviewer's choices so far → the approval form: scopes, masjids, a message to the owner.
import { allClaims } from '../../access/claims.ts'
import type { Scope } from '../../access/scopes.ts'
import type { App } from '../../apps/app.ts'
import type { FoundMasjid } from '../../apps/review-queue.ts'
import type { View } from '../frame/view.ts'
import { submitButton } from '../pieces/buttons.ts'
import { type Choice, checkboxGroup, radioGroup } from '../pieces/choices.ts'
import { form, textArea, textField } from '../pieces/form.ts'
import { type Html, html } from '../pieces/html.ts'
import { scopeBadges } from '../pieces/scope-badges.ts'

/** As submitted. */
export interface ApproveValues {
  readonly scopes: readonly string[]
  /** What userinfo may show it without `openid`. */
  readonly claims: readonly string[]
  readonly reach: string
  readonly masjids: readonly string[]
  readonly own: readonly string[]
  readonly find: string
  readonly words: string
}

export interface ApproveFormParts {
  readonly app: App
  readonly values: ApproveValues
  /** Chosen masjids, and search results. */
  readonly listed: readonly FoundMasjid[]
  readonly faults: Readonly<Partial<Record<'scopes' | 'masjids', string>>>
}

export const approveAll = (scopes: readonly Scope[]): ApproveValues => ({
  scopes,
  claims: allClaims,
  reach: 'all',
  masjids: [],
  own: [],
  find: '',
  words: '',
})

export const scopeChoices = (view: View, scopes: readonly Scope[]): Choice[] =>
  scopes.map(scope => ({
    value: scope,
    label: scope,
    hint: view.texts.scopes[scope].title,
    badge: scopeBadges(view.texts, scope),
  }))

/** Given unless unticked. */
export const claimChoices = (view: View, chosen: readonly string[]): Html => {
  const { review, consent } = view.texts
  return checkboxGroup({
    name: 'claims',
    label: review.plainClaims,
    hint: review.plainClaimsHint,
    chosen,
    choices: allClaims.map(claim => ({ value: claim, label: consent.claims[claim] })),
  })
}

const masjidChoices = (listed: readonly FoundMasjid[]): Choice[] =>
  listed.map(({ id, name, city, state }) => ({
    value: id,
    label: `${name}, ${city}${state === null ? '' : `, ${state}`}`,
  }))

const masjidPart = (view: View, { values, listed, faults }: ApproveFormParts): Html => {
  const { review, common } = view.texts
  const nothingFound = values.find !== '' && listed.length === 0
  return html`${radioGroup({
    name: 'reach',
    label: review.reach,
    fault: faults.masjids,
    chosen: [values.reach],
    choices: [
      { value: 'all', label: review.reachAll },
      { value: 'some', label: review.reachSome },
    ],
  })}
<div class="find">${textField({ name: 'find', label: review.find, hint: review.findHint, value: values.find, optional: common.optional })}
${submitButton({ text: review.findButton, name: 'action', value: 'find' })}</div>
${nothingFound && html`<p role="status">${review.noneFound}</p>`}
${
  listed.length > 0 &&
  html`${checkboxGroup({ name: 'masjids', label: review.chosen, chosen: values.masjids, choices: masjidChoices(listed) })}
${checkboxGroup({ name: 'own', label: review.own, hint: review.ownHint, chosen: values.own, choices: masjidChoices(listed) })}`
}`
}

export const approveForm = (view: View, parts: ApproveFormParts): Html => {
  const { app, values, faults } = parts
  const { review, common } = view.texts
  return html`<section class="card"><h2>${review.approveHeading}</h2>${form(view, {
    action: `/review/apps/${app.id}/approve`,
    hidden: { revision: String(app.revision) },
    fields: html`${checkboxGroup({ name: 'scopes', label: review.grantScopes, hint: review.grantScopesHint, fault: faults.scopes, chosen: values.scopes, choices: scopeChoices(view, app.requestedScopes) })}
${claimChoices(view, values.claims)}
${masjidPart(view, parts)}
${textArea({ name: 'words', label: review.words, value: values.words, optional: common.optional, rows: 3 })}
${submitButton({ text: review.approve, look: 'primary', name: 'action', value: 'approve' })}`,
  })}</section>`
}
