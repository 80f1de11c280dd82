// How an app proves who it is: with keys of its own (private_key_jwt) or, without them, with secrets.
import type { JSONWebKeySet } from 'jose'
import { type Actor, recordAudit } from '../audit/record-audit.ts'
import type { Database, Queryable } from '../db/database.ts'
import { sql } from '../db/sql.ts'
import { credentialRefused, explainDatabaseFault } from './faults.ts'

/** At most one of them. */
export interface AppKeys {
  readonly jwks: JSONWebKeySet | null
  readonly jwksUri: string | null
}

export const findAppKeys = async (queryable: Queryable, appId: string): Promise<AppKeys> =>
  (await queryable.first<AppKeys>(sql`select jwks, jwks_uri as "jwksUri" from minaret.apps where id = ${appId}`)) ?? {
    jwks: null,
    jwksUri: null,
  }

interface SetKeysInput extends AppKeys {
  readonly appId: string
  readonly actor: Actor
}

/** In force at once, in every process: what proves an app is not a reviewer's to decide. Without either, secrets work again. */
export const setAppKeys = (database: Database, { appId, actor, jwks, jwksUri }: SetKeysInput): Promise<void> =>
  database
    .transaction(async transaction => {
      const changed = await transaction.run(sql`
        update minaret.apps set jwks = ${jwks === null ? null : JSON.stringify(jwks)}::jsonb, jwks_uri = ${jwksUri}
        where id = ${appId} and kind = 'confidential' and deleted_at is null`)
      if (changed === 0) throw credentialRefused('Only a confidential app signs with keys.')
      const kids = jwks?.keys.map(({ kid }) => kid ?? '')
      const detail = { kids, jwks_uri: jwksUri ?? undefined }
      await recordAudit(transaction, { action: 'app.keys_changed', actor, appId, detail })
    })
    .catch(explainDatabaseFault)
