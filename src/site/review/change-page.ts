// A change to an approved app → its differences, the automatic checks, and the forms to approve or reject it.
import { isWriteScope, type Scope } from '../../access/scopes.ts'
import type { App, AppValues } from '../../apps/app.ts'
import { differences, withProposed } from '../../apps/changed-values.ts'
import type { AppChange } from '../../apps/changes.ts'
import type { AppMessage } from '../../apps/conversation/messages.ts'
import type { AppNote } from '../../apps/conversation/notes.ts'
import type { MachineCheck } from '../../apps/machine-checks.ts'
import type { NamedMasjid } from '../../apps/masjids.ts'
import type { Waiting } from '../../apps/review-queue.ts'
import { conversationParts, requestChangesForm, type Said, saidFaults } from '../conversation/desk-parts.ts'
import { reasonField } from '../conversation/reason-field.ts'
import { page } from '../frame/layout.ts'
import type { View } from '../frame/view.ts'
import { submitButton } from '../pieces/buttons.ts'
import { checkboxGroup } from '../pieces/choices.ts'
import { fillTitle } from '../pieces/fill.ts'
import { form, textArea } from '../pieces/form.ts'
import { type Html, html, nothing } from '../pieces/html.ts'
import { badge, faultList, hasFaults, notice } from '../pieces/notices.ts'
import { scopeChoices, writeWarning } from './approve-form.ts'
import { changeTable } from './change-table.ts'
import { checkList } from './checks.ts'
import { nextLink } from './next-link.ts'

export interface ReviewChangeParts {
  readonly app: App
  readonly change: AppChange
  readonly masjids: readonly NamedMasjid[]
  readonly checks: readonly MachineCheck[]
  /** What will be granted unless the reviewer chooses otherwise: no new scope to write. */
  readonly scopes: readonly Scope[]
  /** What was proposed before, when that was sent back. */
  readonly before: AppValues | undefined
  readonly messages: readonly AppMessage[]
  readonly notes: readonly AppNote[]
  /** What waits after it. */
  readonly next: Waiting | undefined
  readonly done?: string | undefined
  readonly said?: Said | undefined
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

const rejectPart = (view: View, { app, change, fault, reason }: ReviewChangeParts): Html => {
  const { review } = view.texts
  return html`<section class="card"><h2>${review.rejectHeading}</h2>${form(view, {
    action: `/review/changes/${change.id}/reject`,
    fields: html`${reasonField(view, app, { name: 'reason', label: review.reason, hint: review.reasonHint, value: reason, fault })}
${submitButton({ text: review.rejectChange, look: 'danger', name: 'action', value: 'reject' })}`,
  })}</section>`
}

const isOutsideTeam = ({ checks }: ReviewChangeParts): boolean =>
  checks.some(({ code, good }) => code === 'own_app' && good)

const decisions = (view: View, parts: ReviewChangeParts): Html =>
  isOutsideTeam(parts)
    ? html`${approvePart(view, parts)}${requestChangesForm(view, { ...parts, changeId: parts.change.id })}${rejectPart(view, parts)}`
    : notice({ tone: 'info', text: view.texts.review.ownApp })

const sincePart = (view: View, { app, change, before }: ReviewChangeParts): Html => {
  const { review } = view.texts
  if (before === undefined) return nothing
  const changed = differences(before, withProposed(app, change.proposed))
  const same = Object.keys(changed).length === 0
  return html`<section class="card"><h2>${review.sinceLast}</h2>${same ? html`<p>${review.nothingChanged}</p>` : changeTable(view, before, changed)}</section>`
}

export const reviewChangePage = (view: View, parts: ReviewChangeParts): Html => {
  const { app, change, checks, refusal } = parts
  const { appHistory, conversation, review } = view.texts
  const title = fillTitle(review.changeTitle, { app: app.name })
  const open = change.state === 'pending'
  const asked = open && change.changesRequestedAt !== null
  const faults = { scopes: parts.scopesFault, reason: parts.fault, ...saidFaults(parts.said) }
  return page(view, {
    title,
    faulty: hasFaults(faults),
    section: 'review',
    main: html`<div class="page-head"><h1>${title} ${!open && badge(appHistory.changeStates[change.state])}</h1>
<p><a href="/review/apps/${app.id}"><bdi>${app.name}</bdi></a>, <bdi>${app.ownerName}</bdi></p>${nextLink(view, parts.next)}</div>
${faultList(view, faults)}${parts.done !== undefined && notice({ tone: 'good', text: parts.done })}${refusal !== undefined && notice({ tone: 'bad', text: refusal })}
${asked && notice({ tone: 'info', title: conversation.request.waiting, text: conversation.request.waitingText })}
<div class="two-columns"><div>${changeTable(view, app, change.proposed)}
${change.requestReason !== null && html`<blockquote class="words"><p class="soft">${review.changeReason}</p><p>${change.requestReason}</p></blockquote>`}
${sincePart(view, parts)}${checkList(view, checks)}${conversationParts(view, { ...parts, changeId: open ? change.id : undefined }, isOutsideTeam(parts))}</div>
<div>${open && decisions(view, parts)}</div></div>`,
  })
}
