// The owner's test button → one message, sent at once and tried once; also to an endpoint that is disabled.
import { sql } from '../db/sql.ts'
import { attempt, type Sending } from './attempt.ts'
import { type Delivery, deliveryColumns } from './delivery.ts'
import { webhookRefused } from './faults.ts'
import { recordAttempt } from './record-attempt.ts'
import { type Target, type TargetRow, targetColumns, toTarget } from './target.ts'

/** Nobody makes us knock at a door all the time. */
const TESTS_A_MINUTE = 10

const findTarget = async ({ database, sealing }: Sending, endpointId: string): Promise<Target | undefined> => {
  const row = await database.first<TargetRow>(sql`
    select ${targetColumns} from minaret.webhook_endpoints e join minaret.apps a on a.id = e.app_id
    where e.id = ${endpointId} and minaret.may_be_told(a, e.environment)`)
  return row === undefined ? undefined : toTarget(row, sealing)
}

const addTest = ({ database }: Sending, endpointId: string): Promise<Delivery | undefined> =>
  database.first<Delivery>(sql`
    with d as (
      insert into minaret.webhook_deliveries (endpoint_id, kind) select ${endpointId}, 'test'
      where (select count(*) from minaret.webhook_deliveries
        where endpoint_id = ${endpointId} and kind = 'test' and created_at > now() - interval '1 minute') < ${TESTS_A_MINUTE}
      returning *)
    select ${deliveryColumns} from d`)

/** @returns the id of the delivery, which says how it went. */
export const sendTest = async (sending: Sending, endpointId: string, baseUrl: string): Promise<string> => {
  const target = await findTarget(sending, endpointId)
  if (target === undefined)
    throw webhookRefused('Nothing can be sent to this app: it is not approved, or it was suspended.')
  const delivery = await addTest(sending, endpointId)
  if (delivery === undefined) throw webhookRefused('That was a lot of tests. Wait a minute, then send another one.')
  await recordAttempt(
    sending.database,
    { endpoint: target.endpoint, delivery, baseUrl },
    await attempt(sending, target, delivery),
  )
  return delivery.id
}
