// What happened to the secrets and keys of an app → lines of its history.
import type { CredentialEvent } from '../../apps/credential-history.ts'
import type { View } from '../frame/view.ts'
import { momentOf } from '../pieces/data.ts'
import { fill } from '../pieces/fill.ts'
import { type Html, html, nothing } from '../pieces/html.ts'

const isKnown = <T extends object>(texts: T, action: string): action is string & keyof T => action in texts

const line = (view: View, { action, at, by, key }: CredentialEvent): Html => {
  const { appHistory } = view.texts
  if (!isKnown(appHistory.credentialEvents, action)) return nothing
  const author = by === null ? html`${appHistory.byOperator}` : fill(appHistory.by, { name: by })
  return html`<li><p><strong>${appHistory.credentialEvents[action]}</strong> ${key !== null && html`<bdi>${key}</bdi>`} <span class="soft">${author}, ${momentOf(view, at)}</span></p></li>`
}

export const credentialStory = (view: View, events: readonly CredentialEvent[]): Html =>
  events.length === 0
    ? nothing
    : html`<h3 class="spaced">${view.texts.console.credentials}</h3><ol class="plain-list story">${events.map(event => line(view, event))}</ol>`
