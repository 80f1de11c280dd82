// --id or --client-id → the app.
import type { ParseArgsOptionsConfig } from 'node:util'
import { isWriteScope } from '../access/scopes.ts'
import { type App, findApp, findAppByClientId } from '../apps/app.ts'
import { appNotFound } from '../apps/faults.ts'
import { type MasjidChoice, masjidsOfApp, type NamedMasjid } from '../apps/masjids.ts'
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

const reachOf = async (database: Queryable, app: App): Promise<MasjidChoice> => {
  const masjids = await masjidsOfApp(database, app.id)
  const idsOf = (listed: readonly NamedMasjid[]): readonly string[] => listed.map(({ id }) => id)
  return {
    only: app.allMasjids ? '*' : idsOf(masjids),
    own: app.ownAllMasjids ? '*' : idsOf(masjids.filter(({ isOwn }) => isOwn)),
  }
}

const inWords = (masjids: '*' | readonly string[]): string => (masjids === '*' ? 'all' : masjids.join(' ') || 'none')

/** An operator who gave write scopes should see at once that they do nothing by themselves. */
const masjidLines = ({ state, scopes }: App, { only, own }: MasjidChoice): string[] => {
  if (state === 'pending' || state === 'rejected') return []
  const idle = scopes.some(isWriteScope) && own.length === 0
  return [
    `  masjids    ${inWords(only)}`,
    `  own        ${inWords(own)}${idle ? ' (so it writes for people only, not by itself: see "app masjids")' : ''}`,
  ]
}

export const appOutcome = async (database: Queryable, id: string, done: string): Promise<Outcome> => {
  const app = await findApp(database, id)
  if (app === undefined) throw appNotFound()
  const reach = await reachOf(database, app)
  const lines = [
    done,
    `  id         ${app.id}`,
    `  client_id  ${app.clientId ?? '(given at approval)'}`,
    `  develop    ${app.developmentClientId} (its development client)`,
    `  state      ${app.state}`,
    `  scopes     ${app.scopes.join(' ') || '(granted at approval)'}`,
    `  claims     ${app.plainClaims.join(' ') || 'none'} (shown without openid)`,
    ...masjidLines(app, reach),
  ]
  const json = {
    id: app.id,
    client_id: app.clientId ?? null,
    development_client_id: app.developmentClientId,
    state: app.state,
    scope: app.scopes.join(' '),
    plain_claims: app.plainClaims.join(' '),
    masjids: reach.only,
    own_masjids: reach.own,
  }
  return { text: lines.join('\n'), json }
}
