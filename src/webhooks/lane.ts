// One endpoint's lane: whoever holds the lease sends what waits, in order for each masjid, for a while.
import { randomUUID } from 'node:crypto'
import type { Database, Queryable } from '../db/database.ts'
import { isPresent } from '../db/presence.ts'
import { sql } from '../db/sql.ts'
import type { Counter } from '../metrics/counter.ts'
import { type Attempt, attempt, type Sending } from './attempt.ts'
import { type Delivery, deliveryColumns } from './delivery.ts'
import { isSuccess, recordAttempt } from './record-attempt.ts'
import { type Target, type TargetRow, targetColumns, toTarget } from './target.ts'

/** Renewed before every batch, and far longer than one takes. */
const LEASE_SECONDS = 60
/** A process that is gone has not renewed for so long; one that only lost its connection is back by then. */
const GONE_SECONDS = 3
/** Then others have their turn. */
const TURN_MS = 20_000
/** Masjids of one endpoint that are sent to at a time. */
const AT_ONCE = 4

export interface Lane {
  readonly endpointId: string
  readonly lease: string
  /** It failed last time, so it may take long. */
  readonly isFailing: boolean
}

export interface ClaimInput {
  /** Of this process. */
  readonly holder: number
  readonly most: number
  readonly failing: boolean
}

/** Nobody sends to it: the lease has ended, or its process has. */
const isFree = sql`(e.leased_until < now()
  or e.renewed_at < now() - make_interval(secs => ${GONE_SECONDS}) and not ${isPresent(sql`e.holder`)})`

/** Endpoints with something to send, of apps that may be told something. */
export const claimLanes = async (queryable: Queryable, { holder, most, failing }: ClaimInput): Promise<Lane[]> => {
  if (most <= 0) return []
  const lease = randomUUID()
  const rows = await queryable.query<{ id: string }>(sql`
    update minaret.webhook_endpoints set lease = ${lease}, holder = ${holder}, renewed_at = now(),
      leased_until = now() + make_interval(secs => ${LEASE_SECONDS})
    where id = any (array(
      select e.id from minaret.webhook_endpoints e join minaret.apps a on a.id = e.app_id
      where e.state = 'enabled' and e.due_at <= now() and ${isFree}
        and (e.failing_since is not null) = ${failing} and minaret.may_be_told(a, e.environment)
      order by e.due_at limit ${most} for update of e skip locked))
    returning id`)
  return rows.map(({ id }) => ({ endpointId: id, lease, isFailing: failing }))
}

/** Undefined if the lease is lost, or nothing may be sent any more. */
const renew = async ({ database, sealing }: Sending, { endpointId, lease }: Lane): Promise<Target | undefined> => {
  const row = await database.first<TargetRow>(sql`
    update minaret.webhook_endpoints e
    set renewed_at = now(), leased_until = now() + make_interval(secs => ${LEASE_SECONDS})
    from minaret.apps a
    where e.id = ${endpointId} and e.lease = ${lease} and e.state = 'enabled' and e.leased_until > now()
      and a.id = e.app_id and minaret.may_be_told(a, e.environment)
    returning ${targetColumns}`)
  return row === undefined ? undefined : toTarget(row, sealing)
}

/**
 * The first that waits of each masjid, in the order of the change log: whatever is behind it waits for it. So does what lies ahead of the
 * endpoint's position, which was moved back: before it there is more to come.
 */
const heads = (endpointId: string) => sql`
  select distinct on (w.masjid_id) w.* from minaret.webhook_deliveries w join minaret.webhook_endpoints e on e.id = w.endpoint_id
  where w.endpoint_id = ${endpointId} and w.state = 'waiting' and w.kind <> 'test'
    and (w.xid is null or (w.xid, w.number) <= (e.xid, e.number))
  order by w.masjid_id, w.xid nulls first, w.number, w.sequence`

const nextDeliveries = (queryable: Queryable, { endpointId }: Lane): Promise<Delivery[]> =>
  queryable.query<Delivery>(sql`
    select ${deliveryColumns} from (${heads(endpointId)}) d
    where d.next_attempt_at <= now() order by d.sequence limit ${AT_ONCE}`)

/** In two statements: what was added while the first one waited for the row has to be seen by the second. */
const release = (database: Database, { endpointId, lease }: Lane): Promise<void> =>
  database.transaction(async transaction => {
    const mine = await transaction.run(sql`
      select from minaret.webhook_endpoints where id = ${endpointId} and lease = ${lease} for update`)
    if (mine === 0) return
    await transaction.run(sql`
      update minaret.webhook_endpoints set lease = null, holder = null, leased_until = '-infinity',
        due_at = (select min(next_attempt_at) from (${heads(endpointId)}) head)
      where id = ${endpointId}`)
  })

export interface LaneInput extends Sending {
  readonly baseUrl: string
  readonly isClosed: () => boolean
  /** By outcome. */
  readonly counter?: Counter | undefined
}

const outcomeOf = (one: Attempt): string => {
  if (one.kind === 'withheld') return 'withheld'
  return isSuccess(one) ? 'delivered' : 'failed'
}

const sendOne = async (input: LaneInput, target: Target, delivery: Delivery): Promise<void> => {
  const tried = await attempt(input, target, delivery)
  input.counter?.add(outcomeOf(tried))
  await recordAttempt(input.database, { endpoint: target.endpoint, delivery, baseUrl: input.baseUrl }, tried)
}

const sendAll = async (input: LaneInput, lane: Lane): Promise<void> => {
  for (const until = performance.now() + TURN_MS; performance.now() < until && !input.isClosed(); ) {
    const target = await renew(input, lane)
    if (target === undefined) return
    const deliveries = await nextDeliveries(input.database, lane)
    if (deliveries.length === 0) return
    const sent = await Promise.allSettled(deliveries.map(delivery => sendOne(input, target, delivery)))
    for (const one of sent) if (one.status === 'rejected') throw one.reason
  }
}

/** Whatever happens, the lease is given back. */
export const runLane = async (input: LaneInput, lane: Lane): Promise<void> => {
  try {
    await sendAll(input, lane)
  } finally {
    await release(input.database, lane)
  }
}
