// Challenges that an authenticator signs: made without a row, for one purpose and one browser, and answered at most once.
import { createHmac, randomBytes } from 'node:crypto'
import { equalBytes, sha256 } from '../../base/secrets.ts'
import type { Queryable } from '../../db/database.ts'
import { sql } from '../../db/sql.ts'

/** A sign-in page may stay open for a while. */
const VALID_MS = 60 * 60 * 1000
const TIME_BYTES = 8
const NONCE_BYTES = 24

export interface ChallengeFor {
  readonly purpose: 'register' | 'sign_in' | 'step_up'
  /** What the browser's forms are bound to: its session, or its cookie. */
  readonly binding: string
}

export interface Challenges {
  make(purpose: ChallengeFor, now: Date): Uint8Array<ArrayBuffer>
  /** Whether we made it, for this, and lately. */
  isOurs(challenge: string, purpose: ChallengeFor, now: Date): boolean
}

export const createChallenges = (secret: Buffer): Challenges => {
  const sign = (head: Uint8Array, { purpose, binding }: ChallengeFor): Buffer =>
    createHmac('sha256', secret).update(`passkey ${purpose} ${binding} `).update(head).digest()
  return {
    make: (purpose, now) => {
      const head = Buffer.concat([Buffer.alloc(TIME_BYTES), randomBytes(NONCE_BYTES)])
      head.writeBigUInt64BE(BigInt(now.getTime() + VALID_MS))
      return new Uint8Array(Buffer.concat([head, sign(head, purpose)]))
    },
    isOurs: (challenge, purpose, now) => {
      const bytes = Buffer.from(challenge, 'base64url')
      const head = bytes.subarray(0, TIME_BYTES + NONCE_BYTES)
      if (!equalBytes(bytes.subarray(head.length), sign(head, purpose))) return false
      return head.readBigUInt64BE() > BigInt(now.getTime())
    },
  }
}

/** In one statement: of two answers to the same challenge, one counts. */
export const useChallenge = async (transaction: Queryable, challenge: string): Promise<boolean> => {
  const used = await transaction.run(sql`
    insert into minaret.used_passkey_challenges (challenge_hash, expires_at)
    values (${sha256(challenge)}, now() + make_interval(secs => ${VALID_MS / 1000})) on conflict do nothing`)
  return used > 0
}
