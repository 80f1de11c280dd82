// `minaret app approve|reject|suspend|reinstate|delete`: the review desk's decisions, through the same code.

import type { App } from '../apps/app.ts'
import { approveApp, rejectApp } from '../apps/decide.ts'
import { readClaims, setPlainClaims } from '../apps/plain-claims.ts'
import { readScopes } from '../apps/scope-list.ts'
import { deleteApp, reinstateApp, suspendApp } from '../apps/stop.ts'
import { commandActor } from '../audit/record-audit.ts'
import type { Config } from '../config.ts'
import type { Database } from '../db/database.ts'
import { type Command, type Options, optionalText, textList, textOption } from './command.ts'
import { appOptions, appOutcome, findNamedApp } from './find-app.ts'
import { withDatabase } from './with-database.ts'

/** As the service itself finds it. */
const baseUrlOf = ({ baseUrl, port }: Config): string => baseUrl ?? `http://localhost:${port}`

const NAMED = '(--id ID | --client-id CLIENT_ID)'

interface Decision extends Omit<Command, 'run'> {
  readonly done: string
  readonly decide: (database: Database, app: App, options: Options, baseUrl: string) => Promise<unknown>
}

const decisionCommand = ({ done, decide, ...command }: Decision): Command => ({
  ...command,
  options: { ...appOptions, ...command.options },
  run: (options, config) =>
    withDatabase(config, async database => {
      const app = await findNamedApp(database, options)
      await decide(database, app, options, baseUrlOf(config))
      return appOutcome(database, app.id, `${app.name} ${done}`)
    }),
})

export const appApproveCommand = decisionCommand({
  name: 'app approve',
  summary: 'Approve a pending app, optionally with fewer scopes or for some masjids only.',
  usage: `app approve ${NAMED} [--scope "SCOPES"] [--claims "CLAIMS"|none]\n    [--masjid ID …] [--own-masjid ID …] [--words TEXT] [--json]`,
  options: {
    scope: { type: 'string' },
    claims: { type: 'string' },
    masjid: { type: 'string', multiple: true },
    'own-masjid': { type: 'string', multiple: true },
    words: { type: 'string' },
  },
  required: [],
  done: 'is approved.',
  decide: (database, { id }, options, baseUrl) => {
    const scope = optionalText(options, 'scope')
    const claims = optionalText(options, 'claims')
    const only = textList(options, 'masjid')
    return approveApp(database, {
      appId: id,
      actor: commandActor,
      scopes: scope === undefined ? undefined : readScopes(scope),
      plainClaims: claims === undefined ? undefined : readClaims(claims),
      masjids: { only: only.length === 0 ? '*' : only, own: textList(options, 'own-masjid') },
      words: optionalText(options, 'words'),
      baseUrl,
    })
  },
})

export const appClaimsCommand = decisionCommand({
  name: 'app claims',
  summary: 'Choose what userinfo may show an approved app without openid: email, name, picture, or none.',
  usage: `app claims ${NAMED} --claims "CLAIMS"|none [--json]`,
  options: { claims: { type: 'string' } },
  required: ['claims'],
  done: 'is changed.',
  decide: (database, { id }, options) =>
    setPlainClaims(database, { appId: id, actor: commandActor, claims: readClaims(textOption(options, 'claims')) }),
})

export const appRejectCommand = decisionCommand({
  name: 'app reject',
  summary: 'Reject a pending app, with a reason for its owner.',
  usage: `app reject ${NAMED} --reason TEXT [--json]`,
  options: { reason: { type: 'string' } },
  required: ['reason'],
  done: 'is rejected.',
  decide: (database, { id }, options, baseUrl) =>
    rejectApp(database, { appId: id, actor: commandActor, reason: textOption(options, 'reason'), baseUrl }),
})

export const appSuspendCommand = decisionCommand({
  name: 'app suspend',
  summary: 'Suspend an approved app and revoke its tokens and keys immediately.',
  usage: `app suspend ${NAMED} [--reason TEXT] [--json]`,
  options: { reason: { type: 'string' } },
  required: [],
  done: 'is suspended.',
  decide: (database, { id }, options, baseUrl) =>
    suspendApp(database, {
      appId: id,
      actor: commandActor,
      reason: optionalText(options, 'reason') ?? 'Suspended by an operator.',
      baseUrl,
    }),
})

export const appReinstateCommand = decisionCommand({
  name: 'app reinstate',
  summary: 'Reinstate a suspended app; its old tokens and keys stay revoked.',
  usage: `app reinstate ${NAMED} [--words TEXT] [--json]`,
  options: { words: { type: 'string' } },
  required: [],
  done: 'is approved again.',
  decide: (database, { id }, options, baseUrl) =>
    reinstateApp(database, { appId: id, actor: commandActor, words: optionalText(options, 'words'), baseUrl }),
})

export const appDeleteCommand: Command = {
  name: 'app delete',
  summary: 'Delete an app permanently and revoke its tokens and keys immediately.',
  usage: `app delete ${NAMED} [--json]`,
  options: appOptions,
  required: [],
  run: (options, config) =>
    withDatabase(config, async database => {
      const app = await findNamedApp(database, options)
      await deleteApp(database, { appId: app.id, actor: commandActor })
      return { text: `${app.name} is deleted.`, json: { id: app.id, state: 'deleted' } }
    }),
}
