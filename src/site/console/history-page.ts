// An app's history, for its owner.
import type { App } from '../../apps/app.ts'
import type { AppChange } from '../../apps/changes.ts'
import type { CredentialEvent } from '../../apps/credential-history.ts'
import type { AppMove } from '../../apps/history.ts'
import type { PastMasjidChoice } from '../../apps/masjids.ts'
import type { TeamEvent } from '../../apps/team/history.ts'
import type { View } from '../frame/view.ts'
import { type Html, html } from '../pieces/html.ts'
import { appFrame } from './app-frame.ts'
import { appStory } from './app-story.ts'
import { credentialStory } from './credential-story.ts'
import { teamStory } from './team/team-story.ts'

export interface HistoryParts {
  readonly app: App
  readonly moves: readonly AppMove[]
  readonly changes: readonly AppChange[]
  readonly masjidChoices: readonly PastMasjidChoice[]
  readonly team: readonly TeamEvent[]
  readonly credentials: readonly CredentialEvent[]
}

export const historyPage = (view: View, { app, team, credentials, ...story }: HistoryParts): Html =>
  appFrame(view, {
    app,
    section: 'history',
    main: html`<section class="card"><h2>${view.texts.appHistory.title}</h2>${appStory(view, story)}${credentialStory(view, credentials)}${teamStory(view, team)}</section>`,
  })
