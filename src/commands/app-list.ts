// `minaret app list`: every app with its state, pending ones first.
import { type AppState, listAppsInState } from '../apps/app.ts'
import type { Command } from './command.ts'
import { withDatabase } from './with-database.ts'

const states: readonly AppState[] = ['pending', 'approved', 'suspended', 'rejected']

export const appListCommand: Command = {
  name: 'app list',
  summary: 'List all apps, pending ones first.',
  usage: 'app list [--json]',
  options: {},
  required: [],
  run: (_options, config) =>
    withDatabase(config, async database => {
      const found = []
      for (const state of states) found.push(...(await listAppsInState(database, state)))
      const lines = found.map(
        ({ id, state, clientId, name }) => `  ${id}  ${state.padEnd(10)}${clientId ?? '-'}  ${name}`,
      )
      const apps = found.map(app => ({ id: app.id, client_id: app.clientId ?? null, state: app.state, name: app.name }))
      return { text: lines.length === 0 ? 'There are no apps yet.' : lines.join('\n'), json: { apps } }
    }),
}
