// A change to an approved app → its differences, the automatic checks, and the forms to approve or reject it.
import { isWriteScope, type Scope } from '../../access/scopes.ts'
import type { App } from '../../apps/app.ts'
import type { AppChange } from '../../apps/changes.ts'
import type { MachineCheck } from '../../apps/machine-checks.ts'
import type { NamedMasjid } from '../../apps/masjids.ts'
import { page } from '../frame/layout.ts'
import type { View } from '../frame/view.ts'
import { submitButton } from '../pieces/buttons.ts'
import { checkboxGroup } from '../pieces/choices.ts'
import { fillText } from '../pieces/fill.ts'
import { form, textArea } from '../pieces/form.ts'
import { type Html, html } from '../pieces/html.ts'
import { badge, faultList, notice } from '../pieces/notices.ts'
import { scopeChoices, writeWarning } from './approve-form.ts'
import { changeTable } from './change-table.ts'
import { checkList } from './checks.ts'

export interface ReviewChangeParts {
  readonly app: App
  readonly change: AppChange
  readonly masjids: readonly NamedMasjid[]
  readonly checks: readonly MachineCheck[]
  /** What will be granted unless the reviewer chooses otherwise: no new scope to write. */
  readonly scopes: readonly Scope[]
  readonly refusal?: string | undefined
  readonly scopesFault?: string | undefined
  /** Of the reason to reject it. */
  readonly fault?: string | undefined
  readonly reason?: string | undefined
}

/** A change of scopes leaves the masjids as they are: the reviewer sees where new write scopes would take effect. */
const writesWhere = (view: View, { app, masjids }: ReviewChangeParts): Html => {
  const { review } = view.texts
  const own = masjids
    .filter(({ isOwn }) => isOwn)
    .map(({ name }, index) => html`${index > 0 && ', '}<bdi>${name}</bdi>`)
  const where = app.ownAllMasjids ? review.writesEverywhere : own.length === 0 ? review.writesNowhere : own
  return html`${review.writesWhere} ${where}. <a href="/review/apps/${app.id}">${review.writesElsewhere}</a>`
}

const approvePart = (view: View, parts: ReviewChangeParts): Html => {
  const { change, scopes, app } = parts
  const { review, common } = view.texts
  const asked = change.proposed.requestedScopes
  const added = (asked ?? []).filter(scope => !app.scopes.includes(scope))
  return html`<section class="card"><h2>${review.approveHeading}</h2>${form(view, {
    action: `/review/changes/${change.id}/approve`,
    fields: html`${writeWarning(view, added, { more: writesWhere(view, parts) })}
${asked !== undefined && checkboxGroup({ name: 'scopes', label: review.grantScopes, hint: added.some(isWriteScope) ? review.tickWrites : review.grantScopesHint, fault: parts.scopesFault, chosen: scopes, choices: scopeChoices(view, asked) })}
${textArea({ name: 'words', label: review.words, optional: common.optional, rows: 3 })}
${submitButton({ text: review.approveChange, look: 'primary' })}`,
  })}</section>`
}

const rejectPart = (view: View, { change, fault, reason }: ReviewChangeParts): Html => {
  const { review } = view.texts
  return html`<section class="card"><h2>${review.rejectHeading}</h2>${form(view, {
    action: `/review/changes/${change.id}/reject`,
    fields: html`${textArea({ name: 'reason', label: review.reason, hint: review.reasonHint, value: reason, fault, rows: 3 })}
${submitButton({ text: review.rejectChange, look: 'danger' })}`,
  })}</section>`
}

const decisions = (view: View, parts: ReviewChangeParts): Html =>
  parts.app.ownerId === view.user?.id
    ? notice({ tone: 'info', text: view.texts.review.ownApp })
    : html`${approvePart(view, parts)}${rejectPart(view, parts)}`

export const reviewChangePage = (view: View, parts: ReviewChangeParts): Html => {
  const { app, change, checks, refusal } = parts
  const { review, appHistory } = view.texts
  const title = fillText(review.changeTitle, { app: app.name })
  const open = change.state === 'pending'
  return page(view, {
    title,
    faulty: parts.fault !== undefined || parts.scopesFault !== undefined,
    section: 'review',
    main: html`<div class="page-head"><h1>${title} ${!open && badge(appHistory.changeStates[change.state])}</h1>
<p><a href="/review/apps/${app.id}"><bdi>${app.name}</bdi></a>, <bdi>${app.ownerName}</bdi></p></div>
${faultList(view, { scopes: parts.scopesFault, reason: parts.fault })}${refusal !== undefined && notice({ tone: 'bad', text: refusal })}
<div class="two-columns"><div>${changeTable(view, app, change.proposed)}
${change.requestReason !== null && html`<blockquote class="words"><p class="soft">${review.changeReason}</p><p>${change.requestReason}</p></blockquote>`}
${checkList(view, checks)}</div>
<div>${open && decisions(view, parts)}</div></div>`,
  })
}
