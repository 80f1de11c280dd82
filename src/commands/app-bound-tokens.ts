// `minaret app bound-tokens`: whether an app gets tokens only with a proof of a key (DPoP).
import { setBoundTokens } from '../apps/bound-tokens.ts'
import { commandActor } from '../audit/record-audit.ts'
import type { Command } from './command.ts'
import { appOptions, findNamedApp } from './find-app.ts'
import { withDatabase } from './with-database.ts'

export const appBoundTokensCommand: Command = {
  name: 'app bound-tokens',
  summary: 'Issue tokens to an app only with a proof of a key (DPoP), or also without.',
  usage: 'app bound-tokens (--id ID | --client-id CLIENT_ID) [--optional] [--json]',
  options: { ...appOptions, optional: { type: 'boolean' } },
  required: [],
  run: (options, config) =>
    withDatabase(config, async database => {
      const app = await findNamedApp(database, options)
      const required = options.optional !== true
      await setBoundTokens(database, { appId: app.id, required, actor: commandActor })
      return {
        text: `${app.name} gets tokens ${required ? 'only with a proof of a key' : 'with or without a proof of a key'}.`,
        json: { dpop_bound_access_tokens: required },
      }
    }),
}
