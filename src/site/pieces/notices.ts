// Notices, error summaries, state badges, empty states.

import type { View } from '../frame/view.ts'
import type { Texts } from '../texts/texts.ts'
import { attributes, type Html, html, nothing } from './html.ts'

export type Tone = 'info' | 'good' | 'warn' | 'bad'

export interface NoticeParts {
  readonly tone: Tone
  readonly title?: string
  readonly text: Html | string
}

/** Screen readers announce what was just done or refused. */
export const notice = ({ tone, title, text }: NoticeParts): Html =>
  html`<div class="notice ${tone}"${attributes({ role: tone === 'bad' ? 'alert' : tone === 'good' ? 'status' : undefined })}>
${title && html`<h2>${title}</h2>`}<p>${text}</p></div>`

type Faults = Readonly<Record<string, string | undefined>>

export const hasFaults = (faults: Faults): boolean => Object.values(faults).some(text => text !== undefined)

/**
 * The error summary above a form: every error, with a link to its field. It has the focus, so it is seen first. Empty
 * if there are none.
 */
export const faultList = (view: View, faults: Faults): Html => {
  const found = Object.entries(faults).filter(([, text]) => text !== undefined)
  if (found.length === 0) return nothing
  return html`<div class="notice bad" role="alert" tabindex="-1" autofocus><h2>${view.texts.common.faultsTitle}</h2><ul>
${found.map(([field, text]) => html`<li><a href="#${field}">${text}</a></li>`)}</ul></div>`
}

export const badge = (text: string, tone: Tone = 'info'): Html => html`<span class="badge ${tone}">${text}</span>`

export type AppState = keyof Texts['common']['states']

const stateTones: Readonly<Record<AppState, Tone>> = {
  pending: 'warn',
  changes_requested: 'info',
  approved: 'good',
  rejected: 'bad',
  suspended: 'bad',
}

/** A pending app that waits for its team says so. */
export const shownState = (app: {
  readonly state: Exclude<AppState, 'changes_requested'>
  readonly changesRequestedAt: Date | undefined
}): AppState => (app.state === 'pending' && app.changesRequestedAt !== undefined ? 'changes_requested' : app.state)

export const stateBadge = (view: View, state: AppState): Html =>
  badge(view.texts.common.states[state], stateTones[state])

export const emptyState = (parts: { readonly title: string; readonly text: string; readonly action?: Html }): Html =>
  html`<div class="empty"><h2>${parts.title}</h2><p>${parts.text}</p>${parts.action}</div>`
