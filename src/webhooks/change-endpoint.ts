// An owner registers, edits, enables, disables and deletes endpoints of an app, and changes their secrets.

import type { KeyEnvironment } from '../access/api-key-format.ts'
import { createdBefore, explainDatabaseFault } from '../apps/faults.ts'
import { type Actor, recordAudit } from '../audit/record-audit.ts'
import type { SealingSecrets } from '../base/secrets.ts'
import type { Database, Queryable } from '../db/database.ts'
import { sql } from '../db/sql.ts'
import type { EndpointValues } from './endpoint.ts'
import { webhookNotFound, webhookRefused } from './faults.ts'
import { addSecret, expireSecret } from './secrets.ts'
import { WEBHOOKS_CHANNEL } from './start-webhooks.ts'

const MOST_ENDPOINTS = 10

interface ByOwner {
  readonly appId: string
  readonly actor: Actor
}

export interface OfEndpoint extends ByOwner {
  readonly endpointId: string
}

export interface NewEndpoint extends ByOwner {
  /** Chosen before: a form that is sent twice registers one endpoint. */
  readonly id?: string | undefined
  readonly environment: KeyEnvironment
  readonly values: EndpointValues
  /** From `sealingSecret`. */
  readonly sealing: SealingSecrets
}

export interface CreatedEndpoint {
  readonly id: string
  /** Cannot be shown again. */
  readonly secret: string
}

const audit = (
  transaction: Queryable,
  event: string,
  { appId, actor, endpointId }: OfEndpoint,
  more: object = {},
): Promise<void> =>
  recordAudit(transaction, { action: `webhook.${event}`, actor, appId, detail: { endpoint_id: endpointId, ...more } })

/** The lock on the app makes two requests for the last free place wait for each other. */
const checkRoom = async (transaction: Queryable, appId: string): Promise<void> => {
  await transaction.run(sql`select from minaret.apps where id = ${appId} for update`)
  const row = await transaction.first<{ many: number }>(
    sql`select count(*)::int as many from minaret.webhook_endpoints where app_id = ${appId}`,
  )
  if ((row?.many ?? 0) >= MOST_ENDPOINTS)
    throw webhookRefused(`An app can have ${MOST_ENDPOINTS} endpoints. Delete one that is no longer used.`)
}

/** It is told what changes from now on, however long transactions run that began before it. */
const insert = async (
  transaction: Queryable,
  { id, appId, actor, environment, values }: NewEndpoint,
): Promise<string> => {
  const { url, description, tables, masjids, query } = values
  const row = await transaction.first<{ id: string }>(sql`
    insert into minaret.webhook_endpoints
      (id, app_id, environment, url, description, tables, masjids, query, created_by, history, xid, begins_after)
    select coalesce(${id}::uuid, gen_random_uuid()), ${appId}, ${environment}, ${url}, ${description},
      ${tables}, ${masjids}::uuid[], ${query}, ${actor.userId}::uuid,
      history.id, pg_snapshot_xmin(pg_current_snapshot()), pg_current_snapshot()
    from changes.history returning id`)
  if (row === undefined)
    throw webhookRefused('This database keeps no change log, so that there is nothing to send. Ask the operator.')
  return row.id
}

/** A form that was sent before must not be told that there is no room for what it created. */
const checkUnused = async (transaction: Queryable, id: string | undefined): Promise<void> => {
  if ((await transaction.first(sql`select from minaret.webhook_ids where id = ${id}::uuid`)) !== undefined)
    throw createdBefore()
}

const idsAreUsedOnce: ReadonlySet<unknown> = new Set([
  'webhook_ids_pkey',
  'webhook_endpoints_pkey',
  'webhook_secrets_pkey',
])

/** Of two concurrent requests with the same id, the database admits one. */
const explainFault = (error: unknown): never => {
  if (idsAreUsedOnce.has((error as { readonly constraint?: unknown }).constraint)) throw createdBefore()
  return explainDatabaseFault(error)
}

/** @throws {Fault} `created_before` if the id was used before. */
export const createEndpoint = (database: Database, input: NewEndpoint): Promise<CreatedEndpoint> =>
  database
    .transaction(async transaction => {
      await checkUnused(transaction, input.id)
      await checkRoom(transaction, input.appId)
      const id = await insert(transaction, input)
      const secret = await addSecret(transaction, { endpointId: id, sealing: input.sealing })
      const { environment, values } = input
      const detail = { environment, url: values.url, tables: values.tables }
      await audit(transaction, 'endpoint_created', { ...input, endpointId: id }, detail)
      return { id, secret }
    })
    .catch(explainFault)

export const editEndpoint = (database: Database, input: OfEndpoint & { values: EndpointValues }): Promise<void> =>
  database
    .transaction(async transaction => {
      const { url, description, tables, masjids, query } = input.values
      const changed = await transaction.run(sql`
        update minaret.webhook_endpoints set url = ${url}, description = ${description}, tables = ${tables},
          masjids = ${masjids}::uuid[], query = ${query}
        where app_id = ${input.appId} and id = ${input.endpointId}`)
      if (changed === 0) throw webhookNotFound()
      await audit(transaction, 'endpoint_changed', input, { url, tables })
    })
    .catch(explainDatabaseFault)

/** What waits is tried at once, and all that happened meanwhile follows, as far as the change log has it. */
export const enableEndpoint = (database: Database, input: OfEndpoint): Promise<void> =>
  database.transaction(async transaction => {
    const enabled = await transaction.run(sql`
      update minaret.webhook_endpoints
      set state = 'enabled', disabled_because = null, failing_since = null, due_at = now()
      where app_id = ${input.appId} and id = ${input.endpointId} and state = 'disabled'`)
    if (enabled === 0) throw webhookRefused('The endpoint is enabled already, or it was deleted.')
    await transaction.run(sql`
      update minaret.webhook_deliveries set next_attempt_at = now()
      where endpoint_id = ${input.endpointId} and state = 'waiting'`)
    await audit(transaction, 'endpoint_enabled', input)
    await transaction.run(sql`select pg_notify(${WEBHOOKS_CHANNEL}, '')`)
  })

export const disableByOwner = (database: Database, input: OfEndpoint): Promise<void> =>
  database.transaction(async transaction => {
    const disabled = await transaction.run(sql`
      update minaret.webhook_endpoints set state = 'disabled', disabled_because = 'owner'
      where app_id = ${input.appId} and id = ${input.endpointId} and state = 'enabled'`)
    if (disabled === 0) throw webhookRefused('The endpoint is disabled already, or it was deleted.')
    await audit(transaction, 'endpoint_disabled', input)
  })

export const deleteEndpoint = (database: Database, input: OfEndpoint): Promise<void> =>
  database.transaction(async transaction => {
    const gone = await transaction.run(
      sql`delete from minaret.webhook_endpoints where app_id = ${input.appId} and id = ${input.endpointId}`,
    )
    if (gone === 0) throw webhookNotFound()
    await audit(transaction, 'endpoint_deleted', input)
  })

export interface SecretChange extends OfEndpoint {
  /** The new secret's, chosen before: a form that is sent twice changes it once. */
  readonly id?: string | undefined
  readonly sealing: SealingSecrets
}

/** @returns the new secret, which cannot be shown again. @throws {Fault} `created_before` if the id was used before. */
export const rotateSecret = (database: Database, input: SecretChange): Promise<string> =>
  database
    .transaction(async transaction => {
      const { id, appId, endpointId, sealing } = input
      const found = await transaction.run(sql`
        select from minaret.webhook_endpoints where app_id = ${appId} and id = ${endpointId} for update`)
      if (found === 0) throw webhookNotFound()
      await expireSecret(transaction, endpointId)
      const secret = await addSecret(transaction, { id, endpointId, sealing })
      await audit(transaction, 'secret_rotated', input)
      return secret
    })
    .catch(explainFault)
