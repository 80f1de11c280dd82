// Messages or notes → a list, oldest first. What people typed is escaped, and its direction stays within it.
import type { AppMessage } from '../../apps/conversation/messages.ts'
import type { AppNote } from '../../apps/conversation/notes.ts'
import type { View } from '../frame/view.ts'
import { momentOf } from '../pieces/data.ts'
import { type Html, html, nothing } from '../pieces/html.ts'
import { badge } from '../pieces/notices.ts'

const body = (text: string): Html => (text === '' ? nothing : html`<p class="as-typed" dir="auto">${text}</p>`)

const kindBadge = ({ texts }: View, { kind }: AppMessage): Html => {
  const { kinds } = texts.conversation
  if (kind === 'message') return nothing
  return badge(kinds[kind], kind === 'changes_requested' ? 'warn' : 'good')
}

const messageLine = (view: View, message: AppMessage): Html => {
  const { sides, aboutChange } = view.texts.conversation
  return html`<li class="${message.side}"><p><strong><bdi>${message.authorName}</bdi></strong> <span class="soft">${sides[message.side]}${message.changeId !== null && html`, ${aboutChange}`} · ${momentOf(view, message.writtenAt)}</span> ${kindBadge(view, message)}</p>${body(message.body)}</li>`
}

export const messageThread = (view: View, messages: readonly AppMessage[]): Html =>
  messages.length === 0
    ? html`<p class="soft">${view.texts.conversation.none}</p>`
    : html`<ol class="plain-list thread">${messages.map(message => messageLine(view, message))}</ol>`

const noteLine = (view: View, note: AppNote): Html =>
  html`<li class="note"><p><strong><bdi>${note.authorName}</bdi></strong> <span class="soft">${momentOf(view, note.writtenAt)}</span></p>${body(note.body)}</li>`

export const noteThread = (view: View, notes: readonly AppNote[]): Html =>
  notes.length === 0
    ? html`<p class="soft">${view.texts.conversation.notes.none}</p>`
    : html`<ol class="plain-list thread">${notes.map(note => noteLine(view, note))}</ol>`
