// How an attempt went → the delivery's new state, and the endpoint's: delivered, tried again later, given up, or disabled.
import type { Database, Queryable } from '../db/database.ts'
import { type Sql, sql } from '../db/sql.ts'
import type { Attempt, Tried } from './attempt.ts'
import type { Delivery } from './delivery.ts'
import { disableEndpoint } from './disable-endpoint.ts'
import type { WebhookEndpoint } from './endpoint.ts'
import { pauseAfter } from './retries.ts'

const MOST_TRIES = 20
const GONE = 410

export interface RecordInput {
  readonly endpoint: WebhookEndpoint
  readonly delivery: Delivery
  readonly baseUrl: string
}

export const isSuccess = ({ status }: Tried): boolean => status !== undefined && status >= 200 && status < 300

/** Without the body; what happened at which attempt stays comparable. */
const tryOf = ({ startedAt, milliseconds, status, reason, excerpt }: Tried): string =>
  JSON.stringify([
    { at: startedAt.toISOString(), milliseconds, status: status ?? null, reason: reason ?? null, excerpt },
  ])

const noteTry = ({ id }: Delivery, tried: Tried, change: Sql): Sql => sql`
    update minaret.webhook_deliveries set attempts = attempts + 1, body = ${tried.body},
      first_attempt_at = coalesce(first_attempt_at, now()),
      tries = case when jsonb_array_length(tries) >= ${MOST_TRIES} then tries - 0 else tries end || ${tryOf(tried)}::jsonb,
      ${change}
    where id = ${id}`

const ended = (state: 'delivered' | 'dead'): Sql => sql`state = ${state}, ended_at = now()`

/**
 * The row of the endpoint is written once a minute at most while all is well; and before that of the delivery, in the order in which both
 * are locked when an endpoint is deleted.
 */
const recordSuccess = (database: Queryable, { endpoint, delivery }: RecordInput, tried: Tried): Promise<number> =>
  database.run(sql`
    with noted as (
      update minaret.webhook_endpoints set failing_since = null, last_success_at = now()
      where id = ${endpoint.id} and ${delivery.kind !== 'test'} and (failing_since is not null or last_success_at is null
        or last_success_at < now() - interval '1 minute')
      returning id)
    ${noteTry(delivery, tried, ended('delivered'))} and (select count(*) from noted) >= 0`)

const lockEndpoint = (transaction: Queryable, { id }: WebhookEndpoint): Promise<number> =>
  transaction.run(sql`select from minaret.webhook_endpoints where id = ${id} for no key update`)

const noteFailure = (transaction: Queryable, { id }: WebhookEndpoint): Promise<number> =>
  transaction.run(sql`
    update minaret.webhook_endpoints set failing_since = now() where id = ${id} and failing_since is null`)

/** What is given up leaves a gap. The receiver is told in its place: before anything that follows at the same masjid. */
const tellGap = (transaction: Queryable, { id }: Delivery): Promise<number> =>
  transaction.run(sql`
    insert into minaret.webhook_deliveries (endpoint_id, kind, masjid_id, position, xid, number)
    select endpoint_id, 'gap', masjid_id, 
      case when xid is null then position else changes.cursor_at(xid, number - 1) end, xid, number
    from minaret.webhook_deliveries where id = ${id} and kind = 'change'`)

/** Nothing has arrived since this delivery was first tried. */
const failedThroughout = async (
  transaction: Queryable,
  { id }: WebhookEndpoint,
  delivery: Delivery,
): Promise<boolean> =>
  (await transaction.run(sql`
    select from minaret.webhook_endpoints e join minaret.webhook_deliveries d on d.id = ${delivery.id}
    where e.id = ${id} and e.failing_since <= d.first_attempt_at`)) > 0

/** A test is tried once. */
const pauseFor = ({ kind, attempts }: Delivery, tried: Tried): number | undefined =>
  kind === 'test' || tried.status === GONE ? undefined : pauseAfter(attempts + 1)

const recordFailure = async (transaction: Queryable, input: RecordInput, tried: Tried): Promise<void> => {
  const { endpoint, delivery, baseUrl } = input
  const pause = pauseFor(delivery, tried)
  await lockEndpoint(transaction, endpoint)
  const later = sql`next_attempt_at = now() + make_interval(secs => ${(pause ?? 0) / 1000}::float8)`
  await transaction.run(noteTry(delivery, tried, pause === undefined ? ended('dead') : later))
  if (delivery.kind === 'test') return
  await noteFailure(transaction, endpoint)
  if (pause === undefined) await tellGap(transaction, delivery)
  if (tried.status === GONE) await disableEndpoint(transaction, { endpoint, because: 'gone', baseUrl })
  else if (pause === undefined && (await failedThroughout(transaction, endpoint, delivery)))
    await disableEndpoint(transaction, { endpoint, because: 'failing', baseUrl })
}

/** What the app may not know is not kept for its owner to see either. */
const withhold = (database: Queryable, { id }: Delivery): Promise<number> =>
  database.run(sql`
    update minaret.webhook_deliveries set state = 'withheld', ended_at = now(), key = null, body = null where id = ${id}`)

export const recordAttempt = async (database: Database, input: RecordInput, attempt: Attempt): Promise<void> => {
  if (attempt.kind === 'withheld') await withhold(database, input.delivery)
  else if (isSuccess(attempt)) await recordSuccess(database, input, attempt)
  else await database.transaction(transaction => recordFailure(transaction, input, attempt))
}
