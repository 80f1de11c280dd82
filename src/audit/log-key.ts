// Where a page of a log begins: only entries older than this one. In URLs `1763283600123456-42`, its time and number.
import { type Sql, sql } from '../db/sql.ts'

export interface LogKey {
  /** Microseconds since 1970, since a Date would round them. */
  readonly micros: string
  readonly id: string
}

export const readLogKey = (text: string): LogKey | undefined => {
  const [, micros, id] = /^(\d{1,17})-(\d{1,18})$/.exec(text) ?? []
  return micros === undefined || id === undefined ? undefined : { micros, id }
}

export const writeLogKey = ({ micros, id }: LogKey): string => `${micros}-${id}`

export const microsOf = (at: Sql): Sql => sql`(extract(epoch from ${at}) * 1000000)::bigint::text`

/** The comparison of pairs alone would not exclude partitions. */
export const isBefore = (key: LogKey, at: Sql, id: Sql): Sql => {
  const then = sql`timestamptz 'epoch' + ${key.micros}::bigint * interval '1 microsecond'`
  return sql`${at} <= ${then} and (${at}, ${id}) < (${then}, ${key.id}::bigint)`
}
