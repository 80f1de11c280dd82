// `minaret app secret`: a new secret for a confidential app or its development client; the old one works until it is revoked.

import { createSecret } from '../apps/secrets.ts'
import { commandActor } from '../audit/record-audit.ts'
import type { Command } from './command.ts'
import { appOptions, findNamedApp } from './find-app.ts'
import { withDatabase } from './with-database.ts'

export const appSecretCommand: Command = {
  name: 'app secret',
  summary:
    'Create a secret for an approved confidential app, or for its development client; each may have two at a time.',
  usage: 'app secret (--id ID | --client-id CLIENT_ID) [--development] [--json]',
  options: { ...appOptions, development: { type: 'boolean' } },
  required: [],
  run: (options, config) =>
    withDatabase(config, async database => {
      const app = await findNamedApp(database, options)
      const [appId, clientId] =
        options.development === true ? [app.developmentId, app.developmentClientId] : [app.id, app.clientId ?? null]
      const secret = await createSecret(database, { appId, actor: commandActor })
      return {
        text: `A new secret for ${app.name}:\n  ${secret}\n\nIt is shown only now. Keep it safe.`,
        json: { client_id: clientId, client_secret: secret },
      }
    }),
}
