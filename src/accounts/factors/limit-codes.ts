// How often codes may be typed for an account, from wherever: a thief with the password may have a thousand addresses.
import { createHmac } from 'node:crypto'
import type { LimitRule } from '../../base/limit.ts'
import { countAttempt } from '../../db/count-attempts.ts'
import type { Queryable } from '../../db/database.ts'
import { sql } from '../../db/sql.ts'

/** Three of a million codes are right at any time: 30 guesses a day find one with a probability of 1 in 11,000. */
const rules = {
  few: { tries: 5, seconds: 600 },
  day: { tries: 30, seconds: 24 * 60 * 60 },
  // Whichever passwords there were: whoever reads the mail of an account chooses a new one as often as they like.
  allPasswords: { tries: 100, seconds: 24 * 60 * 60 },
} as const satisfies Record<string, LimitRule>

/** Recovery codes cannot be guessed. They have their own count, so that a flood of guesses leaves the owner a way in. */
const recoveryRule: LimitRule = { tries: 20, seconds: 600 }

export type CodeKind = 'totp' | 'recovery'

export interface CodeLimit {
  /** @throws {Fault} `too_many_requests` over a limit. */
  take(kind: CodeKind, account: Account): Promise<void>
  /** After a right code. */
  forget(account: Account): Promise<void>
}

export interface Account {
  readonly userId: string
  /** A new password begins a new count: whoever made the guesses does not know it. */
  readonly passwordHash: string | null
}

/** Where limits are switched off. */
const noCodeLimit: CodeLimit = { take: async () => undefined, forget: async () => undefined }

const limitWith = (database: Queryable, secret: Buffer): CodeLimit => {
  const keyOf = (name: string, { userId, passwordHash }: Account): Buffer =>
    createHmac('sha256', secret)
      .update(`guesses ${name} ${userId} ${passwordHash ?? ''}`)
      .digest()
  return {
    take: (kind, account) =>
      countAttempt(
        database,
        kind === 'recovery'
          ? [{ key: keyOf('recovery', account), rule: recoveryRule }]
          : [
              { key: keyOf('few', account), rule: rules.few },
              { key: keyOf('day', account), rule: rules.day },
              { key: keyOf('all', { ...account, passwordHash: null }), rule: rules.allPasswords },
            ],
      ),
    forget: async account => {
      const keys = ['few', 'day', 'recovery'].map(name => keyOf(name, account))
      keys.push(keyOf('all', { ...account, passwordHash: null }))
      await database.run(sql`delete from minaret.counts where key = any (${keys}::bytea[])`)
    },
  }
}

export const createCodeLimit = (database: Queryable, secret: Buffer, limited: boolean): CodeLimit =>
  limited ? limitWith(database, secret) : noCodeLimit
