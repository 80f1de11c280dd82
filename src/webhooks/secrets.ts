// The secrets that sign messages: made and shown once, sealed in the database, two at a time while receivers change over.
import { randomBytes, randomUUID } from 'node:crypto'
import { seal, unseal } from '../base/seal.ts'
import { deriveSecrets, type SealingSecrets, type Secrets } from '../base/secrets.ts'
import type { Queryable } from '../db/database.ts'
import { sql } from '../db/sql.ts'

const BYTES = 32
const PREFIX = 'whsec_'

/** For how long the former secret signs too. */
const CHANGE_OVER_HOURS = 24

export interface ListedSecret {
  readonly hint: string
  readonly createdAt: Date
  readonly expiresAt: Date | null
}

/** The purpose that the sealing secret is derived for. */
export const WEBHOOKS_PURPOSE = 'webhook secrets'

/** The installation's secret → the one that seals those of webhooks. */
export const sealingSecret = (secrets: Secrets): SealingSecrets => deriveSecrets(secrets, WEBHOOKS_PURPOSE)

export interface NewSecret {
  /** Chosen before: a form that is sent twice adds one. */
  readonly id?: string | undefined
  readonly endpointId: string
  /** From `sealingSecret`. */
  readonly sealing: SealingSecrets
}

/** @returns the secret, which cannot be shown again. */
export const addSecret = async (
  transaction: Queryable,
  { id = randomUUID(), endpointId, sealing }: NewSecret,
): Promise<string> => {
  const bytes = randomBytes(BYTES)
  const text = PREFIX + bytes.toString('base64')
  const sealed = seal(bytes, { name: endpointId, secret: sealing })
  await transaction.run(sql`
    insert into minaret.webhook_secrets (id, endpoint_id, sealed, hint)
    values (${id}, ${endpointId}, ${sealed}, ${`…${text.slice(-6)}`})`)
  return text
}

/** The current one becomes the former one; a former one ends at once. */
export const expireSecret = async (transaction: Queryable, endpointId: string): Promise<void> => {
  await transaction.run(sql`
    delete from minaret.webhook_secrets where endpoint_id = ${endpointId} and expires_at is not null`)
  await transaction.run(sql`
    update minaret.webhook_secrets set expires_at = now() + make_interval(hours => ${CHANGE_OVER_HOURS})
    where endpoint_id = ${endpointId} and expires_at is null`)
}

/** @param sealed in base64; @throws if the installation's secret is another one than when it was made. */
export const openSecret = (sealed: string, endpointId: string, sealing: SealingSecrets): Buffer =>
  unseal(Buffer.from(sealed, 'base64'), { name: endpointId, secret: sealing })

export const listSecrets = (queryable: Queryable, endpointId: string): Promise<ListedSecret[]> =>
  queryable.query<ListedSecret>(sql`
    select hint, created_at as "createdAt", expires_at as "expiresAt" from minaret.webhook_secrets
    where endpoint_id = ${endpointId} and (expires_at is null or expires_at > now()) order by created_at desc`)
