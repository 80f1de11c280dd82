// Secrets of confidential apps: shown once, stored as SHA-256, two active at a time so that they can be rotated.
import { type Actor, recordAudit } from '../audit/record-audit.ts'
import { randomToken, sha256 } from '../base/secrets.ts'
import type { Database, Queryable } from '../db/database.ts'
import { sql } from '../db/sql.ts'
import { createdBefore, credentialRefused, explainDatabaseFault } from './faults.ts'

export interface AppSecret {
  readonly id: string
  readonly hint: string
  readonly createdAt: Date
  readonly lastUsedAt: Date | null
}

interface ForApp {
  readonly appId: string
  readonly actor: Actor
}

interface CreateSecretInput extends ForApp {
  /** The new secret's id, if it was chosen before: a form that is sent twice creates one secret. */
  readonly id?: string | undefined
}

const tooMany = (): Error =>
  credentialRefused('Two secrets are alive already. Revoke the one that is no longer used, then make a new one.')

/** @returns the secret, which cannot be shown again. @throws {Fault} `created_before` if there is one with this id. */
export const createSecret = (database: Database, { appId, actor, id }: CreateSecretInput): Promise<string> =>
  database
    .transaction(async transaction => {
      if ((await transaction.first(sql`select from minaret.app_secrets where id = ${id}::uuid`)) !== undefined)
        throw createdBefore()
      const secret = `ms_${randomToken(32)}`
      const row = await transaction.first<{ id: string }>(sql`
        insert into minaret.app_secrets (id, app_id, slot, secret_hash, hint, created_by)
        select coalesce(${id}::uuid, gen_random_uuid()), ${appId}, slot, ${sha256(secret)}, ${`…${secret.slice(-4)}`}, ${actor.userId}
        from (values (1), (2)) as slots (slot)
        where not exists (select from minaret.app_secrets s
          where s.app_id = ${appId} and s.slot = slots.slot and s.revoked_at is null)
        order by slot limit 1
        returning id`)
      if (row === undefined) throw tooMany()
      await recordAudit(transaction, { action: 'app.secret_created', actor, appId, detail: { secret_id: row.id } })
      return secret
    })
    .catch(error => {
      // Of two concurrent requests for the last free slot, the database admits one.
      if (error?.constraint === 'app_secrets_two_live') throw tooMany()
      if (error?.constraint === 'app_secrets_pkey') throw createdBefore()
      return explainDatabaseFault(error)
    })

export const revokeSecret = (
  database: Database,
  { appId, actor, secretId }: ForApp & { secretId: string },
): Promise<void> =>
  database.transaction(async transaction => {
    const gone = await transaction.run(sql`
      update minaret.app_secrets set revoked_at = now()
      where id::text = ${secretId} and app_id = ${appId} and revoked_at is null`)
    if (gone === 0) throw credentialRefused('There is no such secret, or it was revoked already.')
    await recordAudit(transaction, { action: 'app.secret_revoked', actor, appId, detail: { secret_id: secretId } })
  })

export const listSecrets = (queryable: Queryable, appId: string): Promise<AppSecret[]> =>
  queryable.query<AppSecret>(sql`
    select id, hint, created_at as "createdAt", last_used_at as "lastUsedAt"
    from minaret.app_secrets where app_id = ${appId} and revoked_at is null order by created_at`)
