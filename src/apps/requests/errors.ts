// The errors of an app by code: how often, when last, and the latest query that got it.
import type { Queryable } from '../../db/database.ts'
import { sql } from '../../db/sql.ts'
import type { UsageSpan } from '../read-usage.ts'
import { redactQuery } from './redact-query.ts'

export interface ErrorSum {
  readonly appId: string
  readonly code: string
  readonly hour: Date
  readonly errors: number
  readonly lastAt: Date
  readonly query: string | undefined
}

export interface ErrorLine {
  readonly code: string
  readonly errors: number
  readonly lastAt: Date
  readonly query: string | null
}

const toRow = ({ appId, lastAt, query, ...sum }: ErrorSum): object => ({
  app_id: appId,
  last_at: lastAt,
  query: query === undefined ? null : redactQuery(query),
  ...sum,
})

export const writeErrors = async (database: Queryable, sums: readonly ErrorSum[]): Promise<void> => {
  if (sums.length === 0) return
  await database.run(sql`
    insert into minaret.usage_errors as e (app_id, code, hour, errors, last_at, query)
    select s.app_id, left(s.code, 100), s.hour, s.errors, s.last_at, s.query
    from jsonb_to_recordset(${JSON.stringify(sums.map(toRow))}::jsonb) as s (app_id uuid, code text, hour timestamptz,
        errors integer, last_at timestamptz, query text)
      join minaret.apps a on a.id = s.app_id
    order by 1, 2, 3
    on conflict (app_id, code, hour) do update set errors = e.errors + excluded.errors,
      last_at = greatest(e.last_at, excluded.last_at), query = coalesce(excluded.query, e.query)`)
}

const lengths: Readonly<Record<UsageSpan, string>> = { hour: '1 hour', day: '1 day', month: '30 days' }

/** Counted by the hour, so the hour in which the span begins is included. */
export const readErrors = (database: Queryable, appId: string, span: UsageSpan): Promise<ErrorLine[]> =>
  database.query<ErrorLine>(sql`
    select code, sum(errors)::float8 as errors, max(last_at) as "lastAt",
      (array_agg(query order by last_at desc) filter (where query is not null))[1] as query
    from minaret.usage_errors
    where app_id = ${appId} and hour > now() - ${lengths[span]}::interval - interval '1 hour'
    group by code order by errors desc, code limit 20`)
