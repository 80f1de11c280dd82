// Usage rows → an evenly spaced series for charts, totals per key, and queries worth looking at.
import type { Queryable } from '../db/database.ts'
import { identifier, sql } from '../db/sql.ts'
import { percentile } from './usage-buckets.ts'

export type UsageSpan = 'hour' | 'day' | 'month'

export const usageSpans: readonly UsageSpan[] = ['hour', 'day', 'month']

export interface UsagePoint {
  readonly at: Date
  readonly requests: number
  readonly errors: number
  readonly rows: number
  /** Response times in milliseconds: the median and p95. */
  readonly median: number | undefined
  readonly slowest: number | undefined
}

export interface KeyUsage {
  readonly keyId: string | null
  readonly name: string | null
  readonly requests: number
  readonly errors: number
  readonly rows: number
}

export interface QueryLine {
  readonly at: Date
  readonly outcome: 'slow' | 'refused'
  readonly milliseconds: number
  readonly query: string
  readonly reason: string | null
}

interface Resolution {
  readonly table: 'usage_minutes' | 'usage_hours'
  readonly column: 'minute' | 'hour'
  readonly step: string
  readonly length: string
}

const resolutions: Readonly<Record<UsageSpan, Resolution>> = {
  hour: { table: 'usage_minutes', column: 'minute', step: '2 minutes', length: '1 hour' },
  day: { table: 'usage_hours', column: 'hour', step: '1 hour', length: '1 day' },
  month: { table: 'usage_hours', column: 'hour', step: '1 day', length: '30 days' },
}

interface PointRow {
  readonly at: Date
  readonly requests: number
  readonly errors: number
  readonly rows: number
  readonly latency: number[] | null
}

export interface UsageQuestion {
  readonly appId: string
  readonly span: UsageSpan
  /** A single key; every key by default. */
  readonly keyId?: string | undefined
  /** The period before. */
  readonly before?: boolean
}

/** Intervals without requests are included as zeros; a gap would look like missing data. */
export const readSeries = async (
  database: Queryable,
  { appId, span, keyId, before = false }: UsageQuestion,
): Promise<UsagePoint[]> => {
  const { table, column, step, length } = resolutions[span]
  const end = sql`(now() - ${before ? length : '0'}::interval)`
  const rows = await database.query<PointRow>(sql`
    with slots as (
      select generate_series(date_bin(${step}::interval, ${end}, 'epoch') - ${length}::interval + ${step}::interval,
        ${end}, ${step}::interval) as at)
    select s.at, coalesce(sum(u.requests), 0)::float8 as requests, coalesce(sum(u.errors), 0)::float8 as errors,
      coalesce(sum(u.rows), 0)::float8 as rows, minaret.sum_counts(u.latency) as latency
    from slots s left join ${identifier('minaret', table)} u on u.app_id = ${appId}
      and (${keyId ?? null}::text is null or u.key_id::text = ${keyId ?? null})
      and u.${identifier(column)} >= s.at and u.${identifier(column)} < s.at + ${step}::interval
    group by s.at order by s.at`)
  return rows.map(({ latency, ...point }) => ({
    ...point,
    median: percentile(latency ?? [], 0.5),
    slowest: percentile(latency ?? [], 0.95),
  }))
}

export const readKeyUsage = (database: Queryable, { appId, span }: UsageQuestion): Promise<KeyUsage[]> => {
  const { table, column, length } = resolutions[span]
  return database.query<KeyUsage>(sql`
    select u.key_id as "keyId", k.name, sum(u.requests)::float8 as requests, sum(u.errors)::float8 as errors,
      sum(u.rows)::float8 as rows
    from ${identifier('minaret', table)} u left join minaret.api_keys k on k.id = u.key_id
    where u.app_id = ${appId} and u.${identifier(column)} > now() - ${length}::interval
    group by u.key_id, k.name order by requests desc limit 50`)
}

/** The slowest queries first, then the most recently refused. */
export const readQueries = (database: Queryable, appId: string): Promise<QueryLine[]> =>
  database.query<QueryLine>(sql`
    (select at, outcome, milliseconds, query, reason from minaret.usage_queries
      where app_id = ${appId} and outcome = 'slow' order by milliseconds desc limit 10)
    union all
    (select at, outcome, milliseconds, query, reason from minaret.usage_queries
      where app_id = ${appId} and outcome = 'refused' order by at desc limit 10)`)
