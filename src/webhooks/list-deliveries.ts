// An endpoint's deliveries → lists and details for its owner.
import type { Queryable } from '../db/database.ts'
import { type Sql, sql } from '../db/sql.ts'
import { type Delivery, type DeliveryState, deliveryColumns } from './delivery.ts'

export interface Try {
  /** ISO 8601. */
  readonly at: string
  readonly milliseconds: number
  readonly status: number | null
  /** Why there was no response. */
  readonly reason: string | null
  /** The beginning of the response. */
  readonly excerpt: string
}

export interface ListedDelivery extends Omit<Delivery, 'key'> {
  readonly state: DeliveryState
  readonly createdAt: Date
  readonly endedAt: Date | null
  readonly nextAttemptAt: Date
  readonly tries: readonly Try[]
  /** What was sent last, without rows about people; null if nothing was. */
  readonly body: string | null
}

/** The key of a row is in the body, if the app may know it. */
const columns: Sql = sql`${deliveryColumns}, null as key, d.state, d.created_at as "createdAt", d.ended_at as "endedAt",
  d.next_attempt_at as "nextAttemptAt", d.tries, d.body`

export interface DeliveryFilter {
  readonly endpointId: string
  readonly state?: DeliveryState | undefined
  /** From 1 on. */
  readonly page: number
}

export const DELIVERIES_PER_PAGE = 50

const matching = ({ endpointId, state }: DeliveryFilter): Sql => sql`
  d.endpoint_id = ${endpointId} and (${state ?? null}::text is null or d.state = ${state ?? null})`

export const listDeliveries = (queryable: Queryable, filter: DeliveryFilter): Promise<ListedDelivery[]> =>
  queryable.query<ListedDelivery>(sql`
    select ${columns} from minaret.webhook_deliveries d where ${matching(filter)}
    order by d.sequence desc limit ${DELIVERIES_PER_PAGE} offset ${(filter.page - 1) * DELIVERIES_PER_PAGE}`)

export const countDeliveries = async (queryable: Queryable, filter: DeliveryFilter): Promise<number> => {
  const row = await queryable.first<{ many: number }>(
    sql`select count(*)::int as many from minaret.webhook_deliveries d where ${matching(filter)}`,
  )
  return row?.many ?? 0
}

/** Of that endpoint only. */
export const findDelivery = (
  queryable: Queryable,
  { endpointId, deliveryId }: { readonly endpointId: string; readonly deliveryId: string },
): Promise<ListedDelivery | undefined> =>
  queryable.first<ListedDelivery>(sql`
    select ${columns} from minaret.webhook_deliveries d where d.endpoint_id = ${endpointId} and d.id::text = ${deliveryId}`)
