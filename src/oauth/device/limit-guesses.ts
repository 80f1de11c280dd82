// How often device codes may be typed: per account, per network and by everybody together (RFC 8628 section 5.1). Counted
// before a code is looked up.
import { createHmac } from 'node:crypto'
import { networkOf } from '../../base/ip-address.ts'
import type { LimitRule } from '../../base/limit.ts'
import { deriveSecret } from '../../base/secrets.ts'
import { countAttempt } from '../../db/count-attempts.ts'
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

/** Where limits are switched off. */
export const noGuessLimit: GuessLimit = { take: async () => undefined, giveBack: async () => undefined }

export const createGuessLimit = (database: Queryable, secret: string): GuessLimit => {
  const sealing = deriveSecret(secret, 'device guesses')
  /** Sealed, so that the table shows neither addresses nor accounts. */
  const keyOf = (name: keyof typeof rules, who: string): Buffer =>
    createHmac('sha256', sealing).update(`${name} ${who}`).digest()
  const everybody = keyOf('everybody', '')
  return {
    take: ({ userId, address }) =>
      countAttempt(database, [
        { key: keyOf('account', userId), rule: rules.account },
        { key: keyOf('network', networkOf(address)), rule: rules.network },
        { key: everybody, rule: rules.everybody },
      ]),
    giveBack: async () => {
      await database.run(sql`update minaret.counts set tries = tries - 1 where key = ${everybody} and tries > 0`)
    },
  }
}
