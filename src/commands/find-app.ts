// --id or --client-id → the app.
import type { ParseArgsOptionsConfig } from 'node:util'
import { type App, findApp, findAppByClientId } from '../apps/app.ts'
import { appNotFound } from '../apps/faults.ts'
import type { Queryable } from '../db/database.ts'
import { type Options, type Outcome, optionalText, UsageFault } from './command.ts'

export const appOptions = {
  id: { type: 'string' },
  'client-id': { type: 'string' },
} as const satisfies ParseArgsOptionsConfig

/** A pending app has no client_id yet, so it can also be found by id. */
export const findNamedApp = async (database: Queryable, options: Options): Promise<App> => {
  const id = optionalText(options, 'id')
  const clientId = optionalText(options, 'client-id')
  if ((id === undefined) === (clientId === undefined)) throw new UsageFault('Name the app by --id or by --client-id.')
  const app = id === undefined ? await findAppByClientId(database, clientId ?? '') : await findApp(database, id)
  if (app === undefined) throw appNotFound()
  return app
}

export const appOutcome = async (database: Queryable, id: string, done: string): Promise<Outcome> => {
  const app = await findApp(database, id)
  if (app === undefined) throw appNotFound()
  const lines = [
    done,
    `  id         ${app.id}`,
    `  client_id  ${app.clientId ?? '(given at approval)'}`,
    `  state      ${app.state}`,
    `  claims     ${app.plainClaims.join(' ') || 'none'} (shown without openid)`,
  ]
  const json = {
    id: app.id,
    client_id: app.clientId ?? null,
    state: app.state,
    scope: app.scopes.join(' '),
    plain_claims: app.plainClaims.join(' '),
  }
  return { text: lines.join('\n'), json }
}
