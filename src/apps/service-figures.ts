// The service at a glance: apps, people, requests, mail and what waits, counted by the database.
import type { Queryable } from '../db/database.ts'
import { sql } from '../db/sql.ts'

export interface ServiceFigures {
  readonly pending: number
  readonly approved: number
  readonly suspended: number
  readonly people: number
  readonly newPeople: number
  readonly disabled: number
  readonly requests: number
  readonly errors: number
  readonly mailWaiting: number
  readonly mailFailing: number
  readonly webhooksWaiting: number
  readonly webhooksDead: number
  readonly erasures: number
  readonly postgresql: string
}

/** Requests and errors are those of apps, in the last 24 hours. */
export const readServiceFigures = async (queryable: Queryable): Promise<ServiceFigures> => {
  const figures = await queryable.first<ServiceFigures>(sql`
    select apps.*, people.*, requests.*, mail.*, webhooks.*,
      (select count(*) from minaret.erasures)::int as erasures,
      current_setting('server_version') as postgresql
    from (select count(*) filter (where state = 'pending')::int as pending,
        count(*) filter (where state = 'approved')::int as approved,
        count(*) filter (where state = 'suspended')::int as suspended
      from minaret.apps where deleted_at is null and development_of is null and host is null) as apps,
    (select count(*)::int as people, count(*) filter (where created_at > now() - interval '7 days')::int as "newPeople",
        count(*) filter (where disabled_at is not null)::int as disabled
      from minaret.users where erased_at is null) as people,
    (select coalesce(sum(requests), 0)::float8 as requests, coalesce(sum(errors), 0)::float8 as errors
      from minaret.usage_minutes where minute > now() - interval '24 hours') as requests,
    (select count(*)::int as "mailWaiting", count(*) filter (where attempts > 0)::int as "mailFailing"
      from minaret.outbox where sent_at is null) as mail,
    (select count(*) filter (where ended_at is null)::int as "webhooksWaiting",
        count(*) filter (where state = 'dead')::int as "webhooksDead"
      from minaret.webhook_deliveries) as webhooks`)
  if (figures === undefined) throw new Error('The figures of the service could not be read.')
  return figures
}
