// Attempts counted in the database by one statement, before anything is checked: no burst over many processes gets more tries than one.
import { durationInWords } from '../base/in-words.ts'
import { type LimitRule, tooMany } from '../base/limit.ts'
import type { Queryable } from './database.ts'
import { sql } from './sql.ts'

export interface CountedKey {
  /** A digest, so that the table shows neither addresses nor accounts. */
  readonly key: Buffer
  readonly rule: LimitRule
}

interface Counted {
  readonly over: boolean
  readonly seconds: number
}

/** In key order, so that two statements cannot deadlock. */
const count = (keys: readonly CountedKey[]) => sql`
  with asked as (
    select * from unnest(${keys.map(({ key }) => key)}::bytea[], ${keys.map(({ rule }) => rule.tries)}::bigint[],
      ${keys.map(({ rule }) => rule.seconds)}::int[]) as asked (key, most, seconds)
  ), counted as (
    insert into minaret.counts as c (key, tries, ends_at)
    select key, 1, now() + make_interval(secs => seconds) from asked order by key
    on conflict (key) do update set
      tries = case when c.ends_at > now() then c.tries + 1 else 1 end,
      ends_at = case when c.ends_at > now() then c.ends_at else excluded.ends_at end
    returning key, tries, ends_at
  )
  select tries > most as over, greatest(1, ceil(extract(epoch from ends_at - now())))::int as seconds
  from counted join asked using (key) order by over desc, seconds desc limit 1`

/** Counts one attempt under every key. @throws {Fault} `too_many_requests` over a limit. */
export const countAttempt = async (database: Queryable, keys: readonly CountedKey[]): Promise<void> => {
  const counted = await database.first<Counted>(count(keys))
  if (counted?.over !== true) return
  const { seconds } = counted
  throw tooMany(`Too many attempts. Try again in ${durationInWords(seconds, 'second')}.`, { left: 0, seconds })
}
