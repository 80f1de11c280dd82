// An app's state changes and change requests → its history, for its owner and for reviewers.
import type { AppChange } from '../../apps/changes.ts'
import type { AppMove } from '../../apps/history.ts'
import type { PastMasjidChoice } from '../../apps/masjids.ts'
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
  html`<li><p><strong>${title}</strong> <span class="soft">${about}</span></p>${words !== null && html`<p class="words" dir="auto">${words}</p>`}</li>`

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

const choiceLine = (view: View, choice: PastMasjidChoice): Html => {
  const { appHistory, console } = view.texts
  const who = choice.chosenBy === null ? html`${appHistory.byOperator}` : fill(appHistory.by, { name: choice.chosenBy })
  const count = (all: boolean, listed: number): string => (all ? console.allMasjids : String(listed))
  const reach = fill(appHistory.masjidsReached, { count: count(choice.allMasjids, choice.masjids) })
  const own = fill(appHistory.masjidsOwn, { count: count(choice.ownAllMasjids, choice.ownMasjids) })
  return line(html`${reach}, ${own}`, html`${who}, ${momentOf(view, choice.chosenAt)}`, null)
}

interface Story {
  readonly moves: readonly AppMove[]
  readonly changes: readonly AppChange[]
  /** The latest first. */
  readonly masjidChoices: readonly PastMasjidChoice[]
}

const part = (title: string, lines: readonly Html[]): Html =>
  lines.length === 0 ? nothing : html`<h3 class="spaced">${title}</h3><ol class="plain-list story">${lines}</ol>`

export const appStory = (view: View, { moves, changes, masjidChoices }: Story): Html => {
  const { appHistory, console } = view.texts
  return html`<ol class="plain-list story">${moves.map(move => moveLine(view, move))}</ol>
${part(
  appHistory.changes,
  changes.map(change => changeLine(view, change)),
)}${part(
  console.masjids,
  masjidChoices.map(choice => choiceLine(view, choice)),
)}`
}
