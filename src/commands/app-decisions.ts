// `minaret app approve|reject|suspend|reinstate|delete`: the review desk's decisions, through the same code.

import type { App } from '../apps/app.ts'
import { approveApp, rejectApp } from '../apps/decide.ts'
import { handOverApp } from '../apps/hand-over.ts'
import { changeMasjids } from '../apps/masjids.ts'
import { readClaims, setPlainClaims } from '../apps/plain-claims.ts'
import { readScopes } from '../apps/scope-list.ts'
import { deleteApp, reinstateApp, suspendApp } from '../apps/stop.ts'
import { commandActor } from '../audit/record-audit.ts'
import type { Database } from '../db/database.ts'
import { baseUrlOf } from './base-url.ts'
import { type Command, type Options, optionalText, textOption } from './command.ts'
import { appOptions, appOutcome, findNamedApp } from './find-app.ts'
import { MASJID_USAGE, masjidOptions, readMasjids } from './read-masjids.ts'
import { requireUser } from './user-export.ts'
import { withDatabase } from './with-database.ts'

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
  usage: `app approve ${NAMED} [--scope "SCOPES"] [--claims "CLAIMS"|none]\n    ${MASJID_USAGE} [--words TEXT] [--json]`,
  options: {
    scope: { type: 'string' },
    claims: { type: 'string' },
    ...masjidOptions,
    words: { type: 'string' },
  },
  required: [],
  done: 'is approved.',
  decide: (database, { id }, options, baseUrl) => {
    const scope = optionalText(options, 'scope')
    const claims = optionalText(options, 'claims')
    return approveApp(database, {
      appId: id,
      actor: commandActor,
      scopes: scope === undefined ? undefined : readScopes(scope),
      plainClaims: claims === undefined ? undefined : readClaims(claims),
      masjids: readMasjids(options),
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

/** Both lists are said in full: what is left out would be lost unseen. */
export const appMasjidsCommand = decisionCommand({
  name: 'app masjids',
  summary: 'Choose which masjids an approved app reaches, and whose own app it is.',
  usage: `app masjids ${NAMED} (--masjid ID … | all) (--own-masjid ID … | all | none) [--json]`,
  options: masjidOptions,
  required: ['masjid', 'own-masjid'],
  done: 'is changed.',
  decide: (database, { id }, options) =>
    changeMasjids(database, { appId: id, actor: commandActor, choice: readMasjids(options) }),
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

export const appTransferCommand = decisionCommand({
  name: 'app transfer',
  summary: 'Hand an app over to another owner; its secrets and keys stay valid.',
  usage: `app transfer ${NAMED} --to EMAIL [--json]`,
  options: { to: { type: 'string' } },
  required: ['to'],
  done: 'has another owner.',
  decide: async (database, { id }, options, baseUrl) => {
    const to = await requireUser(database, textOption(options, 'to'))
    return handOverApp(database, { appId: id, to, actor: commandActor, baseUrl })
  },
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
