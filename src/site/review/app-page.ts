// Everything a reviewer needs to decide about an app: the request, what changed, checks, decisions, history.
import type { App, AppValues } from '../../apps/app.ts'
import type { ProposedValues } from '../../apps/changed-values.ts'
import type { AppChange } from '../../apps/changes.ts'
import type { AppMessage } from '../../apps/conversation/messages.ts'
import type { AppNote } from '../../apps/conversation/notes.ts'
import type { AppMove } from '../../apps/history.ts'
import type { MachineCheck } from '../../apps/machine-checks.ts'
import type { NamedMasjid, PastMasjidChoice } from '../../apps/masjids.ts'
import type { Waiting } from '../../apps/review-queue.ts'
import { appStory } from '../console/app-story.ts'
import { boundTokenWords } from '../console/bound-tokens/part.ts'
import { lifetimeWords } from '../console/lifetimes.ts'
import { codeList, masjidWords, tagList } from '../console/overview-page.ts'
import { conversationParts, requestChangesForm, type Said, saidFaults } from '../conversation/desk-parts.ts'
import { reasonField } from '../conversation/reason-field.ts'
import { page } from '../frame/layout.ts'
import type { View } from '../frame/view.ts'
import { avatar } from '../pieces/avatar.ts'
import { linkButton, submitButton } from '../pieces/buttons.ts'
import { facts, momentOf } from '../pieces/data.ts'
import { form } from '../pieces/form.ts'
import { type Html, html, nothing } from '../pieces/html.ts'
import { faultList, hasFaults, notice, shownState, stateBadge } from '../pieces/notices.ts'
import { type ApproveFormParts, approveForm, claimChoices, writeWarning } from './approve-form.ts'
import { changeTable } from './change-table.ts'
import { checkList } from './checks.ts'
import { masjidFields } from './masjid-fields.ts'
import { nextLink } from './next-link.ts'

export interface ReviewAppParts extends ApproveFormParts {
  readonly app: App
  readonly masjids: readonly NamedMasjid[]
  readonly moves: readonly AppMove[]
  readonly masjidChoices: readonly PastMasjidChoice[]
  readonly changes: readonly AppChange[]
  readonly checks: readonly MachineCheck[]
  /** The app as of the last decision, and what has changed since. */
  readonly since: { readonly before: Partial<AppValues>; readonly differences: ProposedValues } | undefined
  readonly messages: readonly AppMessage[]
  readonly notes: readonly AppNote[]
  /** What waits after it. */
  readonly next: Waiting | undefined
  readonly done?: string | undefined
  readonly said?: Said | undefined
  readonly refusal?: string | undefined
  readonly rejectFault?: string | undefined
  readonly reason?: string | undefined
}

const requestPart = (view: View, { app, masjids }: ReviewAppParts): Html => {
  const { appForm, console, credentials, review } = view.texts
  return html`<section class="card"><h2>${review.request}</h2>${facts([
    [review.owner, html`<bdi>${app.ownerName}</bdi> (<bdi>${app.ownerEmail}</bdi>)`],
    [appForm.description, html`<span class="as-typed" dir="auto">${app.description}</span>`],
    [appForm.kind, appForm.kinds[app.kind].label],
    [appForm.homePage, app.homePage === undefined ? console.none : html`<code dir="ltr">${app.homePage}</code>`],
    [appForm.redirectUris, codeList(app.redirectUris, console.none)],
    [appForm.postLogoutRedirectUris, codeList(app.postLogoutRedirectUris, console.none)],
    [appForm.deviceFlow, appForm.deviceFlows[app.deviceFlow]],
    [view.texts.lifetimes.fact, lifetimeWords(view, app)],
    [view.texts.boundTokens.fact, boundTokenWords(view, app)],
    [console.scopesAsked, tagList(app.requestedScopes, console.none)],
    ...(app.scopes.length === 0
      ? []
      : ([
          [console.scopesGranted, tagList(app.scopes, console.none)],
          [console.plainClaims, tagList(app.plainClaims, console.none)],
          [console.masjids, masjidWords(view, app, masjids)],
        ] as const)),
    [credentials.clientId, app.clientId === undefined ? console.none : html`<code dir="ltr">${app.clientId}</code>`],
    [console.created, momentOf(view, app.createdAt)],
  ])}</section>`
}

const sincePart = (view: View, { since }: ReviewAppParts): Html => {
  const { review } = view.texts
  if (since === undefined) return nothing
  const same = Object.keys(since.differences).length === 0
  return html`<section class="card"><h2>${review.sinceLast}</h2>${
    same ? html`<p>${review.nothingChanged}</p>` : changeTable(view, since.before, since.differences)
  }</section>`
}

const rejectForm = (view: View, { app, reason, rejectFault }: ReviewAppParts): Html => {
  const { review } = view.texts
  return html`<section class="card"><h2>${review.rejectHeading}</h2>${form(view, {
    action: `/review/apps/${app.id}/reject`,
    hidden: { revision: String(app.revision) },
    fields: html`${reasonField(view, app, { name: 'reason', label: review.reason, hint: review.reasonHint, value: reason, fault: rejectFault })}
${submitButton({ text: review.reject, look: 'danger', name: 'action', value: 'reject' })}`,
  })}</section>`
}

const claimsPart = (view: View, app: App): Html => {
  const { review } = view.texts
  return html`<section class="card">${form(view, {
    action: `/review/apps/${app.id}/claims`,
    fields: html`${claimChoices(view, app.plainClaims)}${submitButton({ text: review.plainClaimsSave })}`,
  })}</section>`
}

const masjidsPart = (view: View, parts: ReviewAppParts): Html => {
  const { app } = parts
  const { review } = view.texts
  return html`<section class="card"><h2>${review.masjidsHeading}</h2>${writeWarning(view, app.scopes, { granted: true })}${form(
    view,
    {
      action: `/review/apps/${app.id}/masjids`,
      fields: html`${masjidFields(view, parts)}${submitButton({ text: review.masjidsSave, name: 'action', value: 'save' })}`,
    },
  )}</section>`
}

const suspendPart = ({ texts }: View, app: App): Html => {
  const { review } = texts
  const text = app.state === 'suspended' ? review.takeOverText : review.suspendText
  return html`<section class="card"><h2>${review.suspendHeading}</h2><p>${text}</p>
${linkButton({ href: `/review/apps/${app.id}/suspend`, text: review.suspend, look: 'danger' })}</section>`
}

const reinstatePart = (view: View, app: App): Html => {
  const { review } = view.texts
  return html`<section class="card"><h2>${review.reinstateHeading}</h2><p>${review.reinstateText}</p>
${form(view, { action: `/review/apps/${app.id}/reinstate`, fields: submitButton({ text: review.reinstate, look: 'primary' }) })}</section>`
}

/** A reviewer who is in the team of the app decides nothing about it, and reads no notes. */
const isOutsideTeam = ({ checks }: Pick<ReviewAppParts, 'checks'>): boolean =>
  checks.some(({ code, good }) => code === 'own_app' && good)

const decisions = (view: View, parts: ReviewAppParts): Html => {
  const { app } = parts
  if (!isOutsideTeam(parts)) return notice({ tone: 'info', text: view.texts.review.ownApp })
  if (app.state === 'pending')
    return html`${approveForm(view, parts)}${requestChangesForm(view, parts)}${rejectForm(view, parts)}`
  if (app.state === 'approved')
    return html`${masjidsPart(view, parts)}${claimsPart(view, app)}${suspendPart(view, app)}`
  if (app.state !== 'suspended') return nothing
  return html`${app.movedByOwner && suspendPart(view, app)}${reinstatePart(view, app)}`
}

const waitingChange = ({ texts }: View, changes: readonly AppChange[]): Html => {
  const change = changes.find(({ state }) => state === 'pending')
  if (change === undefined) return nothing
  return notice({
    tone: 'info',
    text: html`${texts.review.waitingChange} <a href="/review/changes/${change.id}">${texts.review.lookAtChange}</a>`,
  })
}

export const reviewAppPage = (view: View, parts: ReviewAppParts): Html => {
  const { app, refusal, moves, changes, checks, masjidChoices } = parts
  const { admin, appHistory, conversation, review } = view.texts
  const faults = { ...parts.faults, reason: parts.rejectFault, ...saidFaults(parts.said) }
  return page(view, {
    title: app.name,
    faulty: hasFaults(faults),
    section: 'review',
    main: html`<div class="app-head">${avatar(app.name, app.logo)}<div><h1><bdi>${app.name}</bdi></h1>${stateBadge(view, shownState(app))}</div>${nextLink(view, parts.next)}</div>
${faultList(view, faults)}${parts.done !== undefined && notice({ tone: 'good', text: parts.done })}${refusal !== undefined && notice({ tone: 'bad', text: refusal })}${waitingChange(view, changes)}
${app.changesRequestedAt !== undefined && notice({ tone: 'info', title: conversation.request.waiting, text: conversation.request.waitingText })}${app.ownerDisabled && notice({ tone: 'warn', text: review.ownerDisabled })}
<div class="two-columns"><div>${requestPart(view, parts)}${sincePart(view, parts)}${checkList(view, checks)}${conversationParts(view, parts, isOutsideTeam(parts))}
<section class="card"><h2>${appHistory.title}</h2>${appStory(view, { moves, changes, masjidChoices })}
<p><a href="/review/audit?app=${app.id}">${admin.audit}</a></p></section></div>
<div>${decisions(view, parts)}</div></div>`,
  })
}
