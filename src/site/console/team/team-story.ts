// What happened in the team of an app → lines of its history.
import type { TeamEvent } from '../../../apps/team/history.ts'
import { isTeamRole } from '../../../apps/team/roles.ts'
import type { View } from '../../frame/view.ts'
import { momentOf } from '../../pieces/data.ts'
import { fill } from '../../pieces/fill.ts'
import { type Html, html, nothing } from '../../pieces/html.ts'
import { badge } from '../../pieces/notices.ts'

const isKnown = <T extends object>(texts: T, action: string): action is string & keyof T => action in texts

const line = (view: View, { action, at, by, who, role }: TeamEvent): Html => {
  const { appHistory, team } = view.texts
  if (!isKnown(team.events, action)) return nothing
  const what = fill(team.events[action], { name: who ?? '' })
  const as = role !== null && isTeamRole(role) ? badge(team.roles[role]) : nothing
  const author = by === null ? html`${appHistory.byOperator}` : fill(appHistory.by, { name: by })
  return html`<li><p><strong>${what}</strong> ${as} <span class="soft">${author}, ${momentOf(view, at)}</span></p></li>`
}

export const teamStory = (view: View, events: readonly TeamEvent[]): Html =>
  events.length === 0
    ? nothing
    : html`<h3 class="spaced">${view.texts.team.history}</h3><ol class="plain-list story">${events.map(event => line(view, event))}</ol>`
