// An app's state changes and change requests → its history, for its owner and for reviewers.
import type { AppChange } from '../../apps/changes.ts'
import type { AppMove } from '../../apps/history.ts'
import type { View } from '../frame/view.ts'
import { momentOf } from '../pieces/data.ts'
import { fill } from '../pieces/fill.ts'
import { type Html, html, nothing } from '../pieces/html.ts'
import { badge, type Tone } from '../pieces/notices.ts'
import type { Texts } from '../texts/texts.ts'

const nameOf = ({ appHistory }: Texts, { fromState, toState }: AppMove): string => {
  if (fromState === null) return appHistory.registered
  if (fromState === 'suspended' && toState === 'approved') return appHistory.reinstated
  return appHistory.moves[toState as keyof typeof appHistory.moves]
}

const tones: Readonly<Record<string, Tone>> = {
  pending: 'info',
  approved: 'good',
  rejected: 'bad',
  suspended: 'bad',
  withdrawn: 'info',
  deleted: 'bad',
}

const line = (title: Html, about: Html, words: string | null): Html =>
  html`<li><p><strong>${title}</strong> <span class="soft">${about}</span></p>${words !== null && html`<p class="words">${words}</p>`}</li>`

const moveLine = (view: View, move: AppMove): Html => {
  const { appHistory } = view.texts
  const who = move.movedBy === null ? html`${appHistory.byOperator}` : fill(appHistory.by, { name: move.movedBy })
  const title = badge(nameOf(view.texts, move), tones[move.toState] ?? 'info')
  return line(title, html`${who}, ${momentOf(view, move.movedAt)}`, move.reason)
}

const changeLine = (view: View, change: AppChange): Html => {
  const { appHistory } = view.texts
  const who = change.decidedBy === null ? nothing : html`${fill(appHistory.by, { name: change.decidedBy })}, `
  const title = badge(
    appHistory.changeStates[change.state],
    change.state === 'pending' ? 'warn' : (tones[change.state] ?? 'info'),
  )
  const about = html`${who}${momentOf(view, change.decidedAt ?? change.requestedAt)}: ${Object.keys(change.proposed).join(', ')}`
  return line(title, about, change.reason ?? change.requestReason)
}

export const appStory = (view: View, moves: readonly AppMove[], changes: readonly AppChange[]): Html => {
  const { appHistory } = view.texts
  return html`<ol class="plain-list story">${moves.map(move => moveLine(view, move))}</ol>
${changes.length > 0 && html`<h3 class="spaced">${appHistory.changes}</h3><ol class="plain-list story">${changes.map(change => changeLine(view, change))}</ol>`}`
}
