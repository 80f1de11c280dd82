// Usage totals → rows by minute and by hour, added to those of other processes.
import type { Queryable } from '../db/database.ts'
import { identifier, type Sql, sql } from '../db/sql.ts'
import { redactQuery } from './requests/redact-query.ts'

export interface UsageSum {
  readonly appId: string
  readonly keyId: string | undefined
  readonly minute: Date
  readonly requests: number
  readonly errors: number
  readonly rows: number
  readonly milliseconds: number
  readonly latency: number[]
}

export interface QueryNote {
  readonly appId: string
  readonly keyId: string | undefined
  readonly at: Date
  readonly outcome: 'slow' | 'refused'
  readonly milliseconds: number
  readonly query: string
  readonly reason: string | undefined
}

const toRow = ({ appId, keyId, minute, requests, errors, rows, milliseconds, latency }: UsageSum): object => ({
  app_id: appId,
  key_id: keyId,
  minute,
  requests,
  errors,
  rows,
  milliseconds,
  latency,
})

/** Minutes of the same hour are summed first, since one statement may update a row only once. Deleted apps are skipped. */
const upsert = (sums: readonly UsageSum[], table: string, column: 'minute' | 'hour'): Sql => sql`
  insert into ${identifier('minaret', table)} as u (app_id, key_id, ${identifier(column)}, requests, errors, rows, milliseconds, latency)
  select s.app_id, k.id, date_trunc(${column}, s.minute), sum(s.requests), sum(s.errors), sum(s.rows), sum(s.milliseconds),
    minaret.sum_counts(s.latency)
  from jsonb_to_recordset(${JSON.stringify(sums.map(toRow))}::jsonb) as s (app_id uuid, key_id uuid, minute timestamptz,
      requests integer, errors integer, rows bigint, milliseconds bigint, latency integer[])
    join minaret.apps a on a.id = s.app_id
    left join minaret.api_keys k on k.id = s.key_id
  group by 1, 2, 3 order by 1, 2, 3
  on conflict (app_id, key_id, ${identifier(column)}) do update set
    requests = u.requests + excluded.requests, errors = u.errors + excluded.errors, rows = u.rows + excluded.rows,
    milliseconds = u.milliseconds + excluded.milliseconds, latency = minaret.add_counts(u.latency, excluded.latency)`

export const writeSums = async (database: Queryable, sums: readonly UsageSum[]): Promise<void> => {
  await database.run(upsert(sums, 'usage_minutes', 'minute'))
  await database.run(upsert(sums, 'usage_hours', 'hour'))
}

/** Without their values, like everything that is kept about requests. */
export const writeQueries = async (database: Queryable, notes: readonly QueryNote[]): Promise<void> => {
  if (notes.length === 0) return
  const rows = notes.map(({ appId, keyId, query, ...note }) => ({
    app_id: appId,
    key_id: keyId,
    query: redactQuery(query),
    ...note,
  }))
  await database.run(sql`
    insert into minaret.usage_queries (app_id, key_id, at, outcome, milliseconds, query, reason)
    select n.app_id, k.id, n.at, n.outcome, n.milliseconds, n.query, n.reason
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as n (app_id uuid, key_id uuid, at timestamptz, outcome text,
        milliseconds integer, query text, reason text)
      join minaret.apps a on a.id = n.app_id
      left join minaret.api_keys k on k.id = n.key_id`)
}
