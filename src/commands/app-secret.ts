// `minaret app secret`: a new secret for an approved confidential app; the old one works until it is revoked.

import { createSecret } from '../apps/secrets.ts'
import { commandActor } from '../audit/record-audit.ts'
import type { Command } from './command.ts'
import { appOptions, findNamedApp } from './find-app.ts'
import { withDatabase } from './with-database.ts'

export const appSecretCommand: Command = {
  name: 'app secret',
  summary: 'Create a secret for an approved confidential app, which may have two at a time.',
  usage: 'app secret (--id ID | --client-id CLIENT_ID) [--json]',
  options: appOptions,
  required: [],
  run: (options, config) =>
    withDatabase(config, async database => {
      const app = await findNamedApp(database, options)
      const secret = await createSecret(database, { appId: app.id, actor: commandActor })
      return {
        text: `A new secret for ${app.name}:\n  ${secret}\n\nIt is shown only now. Keep it safe.`,
        json: { client_id: app.clientId ?? null, client_secret: secret },
      }
    }),
}
