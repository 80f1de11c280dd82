// The review desk's side of a conversation: the form to request changes, the messages, and the notes among reviewers.
import type { App } from '../../apps/app.ts'
import type { AppMessage } from '../../apps/conversation/messages.ts'
import type { AppNote } from '../../apps/conversation/notes.ts'
import type { View } from '../frame/view.ts'
import { submitButton } from '../pieces/buttons.ts'
import { form, textArea } from '../pieces/form.ts'
import { type Html, html } from '../pieces/html.ts'
import { reasonField } from './reason-field.ts'
import { messageThread, noteThread } from './thread.ts'

/** Which form came back, and why. */
export interface Said {
  /** The id of its field. */
  readonly field: 'changes' | 'message' | 'note'
  readonly text: string
  readonly fault?: string | undefined
}

export interface DeskConversation {
  readonly app: App
  readonly messages: readonly AppMessage[]
  readonly notes: readonly AppNote[]
  readonly said?: Said | undefined
  /** The change whose page this is; messages are then about it. */
  readonly changeId?: string | undefined
}

const shown = (said: Said | undefined, field: Said['field']) =>
  said?.field === field ? { value: said.text, fault: said.fault } : {}

export const saidFaults = (said: Said | undefined): Readonly<Record<string, string | undefined>> =>
  said === undefined ? {} : { [said.field]: said.fault }

export const requestChangesForm = (view: View, { app, said, changeId }: DeskConversation): Html => {
  const { request } = view.texts.conversation
  return html`<section class="card"><h2>${request.title}</h2><p>${request.text}</p>${form(view, {
    action: `/review/apps/${app.id}/request-changes`,
    hidden: { revision: String(app.revision), change: changeId },
    fields: html`${reasonField(view, app, { name: 'body', id: 'changes', label: request.label, ...shown(said, 'changes') })}
${submitButton({ text: request.button, name: 'action', value: 'request' })}`,
  })}</section>`
}

const messagesPart = (view: View, { app, messages, said, changeId }: DeskConversation, may: boolean): Html => {
  const { conversation } = view.texts
  const write = form(view, {
    action: `/review/apps/${app.id}/messages`,
    hidden: { change: changeId },
    fields: html`${textArea({ name: 'body', id: 'message', label: conversation.yourMessage, hint: conversation.toTeamHint, rows: 3, ...shown(said, 'message') })}
${submitButton({ text: conversation.send })}`,
  })
  return html`<section class="card" id="conversation"><h2>${conversation.deskTitle}</h2>${messageThread(view, messages)}${may && write}</section>`
}

const notesPart = (view: View, { app, notes, said, changeId }: DeskConversation): Html => {
  const { notes: texts } = view.texts.conversation
  return html`<section class="card" id="notes"><h2>${texts.title}</h2>${noteThread(view, notes)}${form(view, {
    action: `/review/apps/${app.id}/notes`,
    hidden: { change: changeId },
    fields: html`${textArea({ name: 'body', id: 'note', label: texts.label, hint: texts.hint, rows: 2, ...shown(said, 'note') })}
${submitButton({ text: texts.save })}`,
  })}</section>`
}

/** Whoever is in the team of the app sees neither form nor note here, whatever rights they have. */
export const conversationParts = (view: View, parts: DeskConversation, isOutside: boolean): Html =>
  html`${messagesPart(view, parts, isOutside)}${isOutside && notesPart(view, parts)}`
