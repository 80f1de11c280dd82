// client_id → client, cached until the database reports a change.
import type { LastUsed } from '../../access/last-used.ts'
import { createRemembered } from '../../access/remembered.ts'
import { dataScopes, isScope } from '../../access/scopes.ts'
import { lifetimeColumn, lifetimeNames } from '../../apps/lifetimes.ts'
import type { Database } from '../../db/database.ts'
import type { Listener } from '../../db/listener.ts'
import { identifier, joinSql, prepared, sql } from '../../db/sql.ts'
import type { Client } from './client.ts'
import type { VerifyAssertion } from './verify-assertion.ts'

export interface ClientDirectory {
  find(clientId: string): Promise<Client | undefined>
  /** Records that a secret was used; returns immediately. */
  noteSecret(id: string): void
  /** @throws {Fault} `invalid_client` */
  readonly verifyAssertion: VerifyAssertion
}

interface ClientRow extends Omit<Client, 'scopes' | 'dataScopes' | 'secrets'> {
  readonly scopes: readonly string[]
  readonly secretIds: readonly string[]
  readonly secretHashes: readonly Buffer[]
}

const MOST_REMEMBERED = 5000

const lifetimes = joinSql(
  lifetimeNames.map(name => sql`${identifier('app', lifetimeColumn(name))} as ${identifier(name)}`),
)

/** Includes clients that are not approved: the caller decides what that means. */
const selectClient = (clientId: string) =>
  prepared(
    'oauth_client',
    sql`
    select app.id as "appId", app.client_id as "clientId", app.name, app.description, app.owner_id as "ownerId",
      coalesce(owner.name, app.host, 'Minaret') as "ownerName", app.host, app.own_rows as "ownRows",
      app.fresh_until as "freshUntil", app.grants_to as "grantsTo",
      app.home_page as "homePage", app.logo, app.kind, app.development_of is not null as development,
      case when minaret.is_held(app.owner_id) and app.state = 'approved' then 'suspended' else app.state end as state,
      app.redirect_uris as "redirectUris", app.post_logout_redirect_uris as "postLogoutRedirectUris",
      app.scopes, app.plain_claims as "plainClaims", app.client_authentication as "clientAuthentication",
      app.device_flow as "deviceFlow", app.id_token_alg as "idTokenAlgorithm", app.jwks, app.jwks_uri as "jwksUri",
      app.dpop_bound as "requiresProof", ${lifetimes},
      array(select id::text from minaret.app_secrets
        where app_id = app.id and revoked_at is null order by slot) as "secretIds",
      array(select secret_hash from minaret.app_secrets
        where app_id = app.id and revoked_at is null order by slot) as "secretHashes"
    from minaret.apps as app left join minaret.users as owner on owner.id = app.owner_id
    where app.client_id = ${clientId} and app.deleted_at is null`,
  )

const toClient = ({ secretIds, secretHashes, ...row }: ClientRow): Client => {
  const scopes = new Set(row.scopes.filter(isScope))
  const secrets = secretHashes.map((hash, index) => ({ id: secretIds[index] ?? '', hash }))
  return { ...row, scopes, dataScopes: dataScopes.filter(scope => scopes.has(scope)), secrets }
}

export interface ClientDirectoryInput {
  readonly database: Database
  readonly listener: Listener
  readonly lastUsed: LastUsed
  readonly verifyAssertion: VerifyAssertion
}

export const createClientDirectory = async (input: ClientDirectoryInput): Promise<ClientDirectory> => {
  const { database, listener, lastUsed, verifyAssertion } = input
  const clients = createRemembered<Client>({ max: MOST_REMEMBERED, inTouch: () => listener.connected })
  listener.onReconnected(() => clients.forget())
  await listener.on('minaret_apps', id => clients.forget(({ appId }) => appId === id))
  const read = async (clientId: string): Promise<Client | undefined> => {
    const row = await database.first<ClientRow>(selectClient(clientId))
    return row && toClient(row)
  }
  return {
    find: clientId => clients.get(clientId, () => read(clientId)),
    noteSecret: id => lastUsed.note('app_secrets', id),
    verifyAssertion,
  }
}

/** Where apps may not describe themselves, those that did before are unknown. */
export const withoutSelfDescribed = (directory: ClientDirectory): ClientDirectory => ({
  ...directory,
  find: async clientId => {
    const client = await directory.find(clientId)
    return client?.host === null ? client : undefined
  },
})
