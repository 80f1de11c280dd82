// How often device codes may be typed: per account, per network and by everybody together (RFC 8628 section 5.1). Counted in the
// database by one statement before a code is looked up, so that no burst over many processes gets more tries than one.
import { createHmac } from 'node:crypto'
import { durationInWords } from '../../base/in-words.ts'
import { networkOf } from '../../base/ip-address.ts'
import { type LimitRule, tooMany } from '../../base/limit.ts'
import { deriveSecret } from '../../base/secrets.ts'
import type { Queryable } from '../../db/database.ts'
import { sql } from '../../db/sql.ts'

export interface Guesser {
  readonly userId: string
  readonly address: string
}

export interface GuessLimit {
  /** @throws {Fault} `too_many_requests` over a limit. */
  take(guesser: Guesser): Promise<void>
  /** A right code does not count against everybody else. */
  giveBack(): Promise<void>
}

/** With 20 ** 8 codes, 1000 wrong guesses among 1000 live ones find one with a probability of 1 in 25,000. */
const rules = {
  account: { tries: 20, seconds: 600 },
  network: { tries: 60, seconds: 600 },
  everybody: { tries: 1000, seconds: 600 },
} as const satisfies Record<string, LimitRule>

interface Counted {
  readonly over: boolean
  readonly seconds: number
}

/** In key order, so that two statements cannot deadlock. */
const count = (keys: readonly Buffer[], limits: readonly LimitRule[]) => sql`
  with asked as (
    select * from unnest(${keys}::bytea[], ${limits.map(({ tries }) => tries)}::bigint[],
      ${limits.map(({ seconds }) => seconds)}::int[]) as asked (key, most, seconds)
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

/** Where limits are switched off. */
export const noGuessLimit: GuessLimit = { take: async () => undefined, giveBack: async () => undefined }

export const createGuessLimit = (database: Queryable, secret: string): GuessLimit => {
  const sealing = deriveSecret(secret, 'device guesses')
  /** Sealed, so that the table shows neither addresses nor accounts. */
  const keyOf = (name: keyof typeof rules, who: string): Buffer =>
    createHmac('sha256', sealing).update(`${name} ${who}`).digest()
  const everybody = keyOf('everybody', '')
  return {
    take: async ({ userId, address }) => {
      const keys = [keyOf('account', userId), keyOf('network', networkOf(address)), everybody]
      const counted = await database.first<Counted>(count(keys, [rules.account, rules.network, rules.everybody]))
      if (counted?.over !== true) return
      const { seconds } = counted
      throw tooMany(`Too many attempts. Try again in ${durationInWords(seconds, 'second')}.`, { left: 0, seconds })
    },
    giveBack: async () => {
      await database.run(sql`update minaret.counts set tries = tries - 1 where key = ${everybody} and tries > 0`)
    },
  }
}
