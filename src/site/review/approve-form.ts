// A reviewer's choices so far → the approval form: scopes, masjids, a message to the owner.
import { allClaims } from '../../access/claims.ts'
import { isWriteScope, type Scope } from '../../access/scopes.ts'
import type { App } from '../../apps/app.ts'
import type { FoundMasjid } from '../../apps/review-queue.ts'
import type { View } from '../frame/view.ts'
import { submitButton } from '../pieces/buttons.ts'
import { type Choice, checkboxGroup } from '../pieces/choices.ts'
import { form, textArea } from '../pieces/form.ts'
import { type Html, html, nothing } from '../pieces/html.ts'
import { notice } from '../pieces/notices.ts'
import { scopeBadges } from '../pieces/scope-badges.ts'
import { type MasjidFaults, type MasjidValues, masjidFields } from './masjid-fields.ts'

/** As submitted. */
export interface ApproveValues extends MasjidValues {
  readonly scopes: readonly string[]
  /** What userinfo may show it without `openid`. */
  readonly claims: readonly string[]
  readonly words: string
}

export interface ApproveFormParts {
  readonly app: App
  readonly values: ApproveValues
  /** Chosen masjids, and search results. */
  readonly listed: readonly FoundMasjid[]
  readonly faults: MasjidFaults & { readonly scopes?: string }
}

/** Everything that was asked for; but where the app may write, the reviewer says. */
export const approveAll = (scopes: readonly Scope[]): ApproveValues => ({
  scopes,
  claims: allClaims,
  reach: 'all',
  masjids: [],
  ownReach: scopes.some(isWriteScope) ? '' : 'none',
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

interface WarningParts {
  readonly granted?: boolean
  readonly more?: Html
}

/** These let the app change data, so the reviewer is told before anything else. */
export const writeWarning = (
  { texts }: View,
  scopes: readonly Scope[],
  { granted = false, more }: WarningParts = {},
): Html => {
  const writing = scopes.filter(isWriteScope)
  if (writing.length === 0) return nothing
  const { review } = texts
  const names = writing.map(scope => html` <code dir="ltr">${scope}</code>`)
  return notice({
    tone: 'warn',
    title: granted ? review.grantedWrites : review.writes,
    text: html`${granted ? review.grantedWritesText : review.writesText}${names}${more && html`<br>${more}`}`,
  })
}

export const approveForm = (view: View, parts: ApproveFormParts): Html => {
  const { app, values, faults } = parts
  const { review, common } = view.texts
  return html`<section class="card"><h2>${review.approveHeading}</h2>${form(view, {
    action: `/review/apps/${app.id}/approve`,
    hidden: { revision: String(app.revision) },
    fields: html`${writeWarning(view, app.requestedScopes)}
${checkboxGroup({ name: 'scopes', label: review.grantScopes, hint: review.grantScopesHint, fault: faults.scopes, chosen: values.scopes, choices: scopeChoices(view, app.requestedScopes) })}
${claimChoices(view, values.claims)}
${masjidFields(view, parts)}
${textArea({ name: 'words', label: review.words, value: values.words, optional: common.optional, rows: 3 })}
${submitButton({ text: review.approve, look: 'primary', name: 'action', value: 'approve' })}`,
  })}</section>`
}
