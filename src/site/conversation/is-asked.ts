// Whether a reviewer waits for the team: for the app itself, or for its pending change.
import type { App } from '../../apps/app.ts'
import type { AppChange } from '../../apps/changes.ts'

export const isAsked = (app: App, change: AppChange | undefined): boolean =>
  app.changesRequestedAt !== undefined || (change?.changesRequestedAt ?? null) !== null
