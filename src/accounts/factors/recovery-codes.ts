// Ten codes for a lost phone: each works once, and only its keyed digest is stored.
import { createHmac, randomBytes } from 'node:crypto'
import type { Queryable } from '../../db/database.ts'
import { sql } from '../../db/sql.ts'

const COUNT = 10
/** Crockford's base32: no letter that looks like a digit. */
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'

/** 60 random bits: abcd-efgh-jkmn. */
const newCode = (): string =>
  Array.from(randomBytes(12), byte => alphabet[byte % 32])
    .join('')
    .replaceAll(/(.{4})(?=.)/g, '$1-')

/** As it was printed, however it is typed. */
const normalise = (typed: string): string =>
  typed
    .toLowerCase()
    .replaceAll(/[^\da-z]/g, '')
    .replaceAll('o', '0')
    .replaceAll(/[il]/g, '1')

const digestOf = (secret: Buffer, userId: string, code: string): Buffer =>
  createHmac('sha256', secret)
    .update(`recovery ${userId} ${normalise(code)}`)
    .digest()

/** Replaces all earlier ones. @returns them as they are shown, once. */
export const renewRecoveryCodes = async (transaction: Queryable, secret: Buffer, userId: string): Promise<string[]> => {
  const codes = Array.from({ length: COUNT }, newCode)
  const digests = codes.map(code => digestOf(secret, userId, code))
  await transaction.run(sql`delete from minaret.recovery_codes where user_id = ${userId}`)
  await transaction.run(sql`
    insert into minaret.recovery_codes (user_id, code_hash) select ${userId}, unnest(${digests}::bytea[])`)
  return codes
}

/** In one statement: of two uses at once, one succeeds. */
export const useRecoveryCode = async (
  transaction: Queryable,
  secret: Buffer,
  { userId, typed }: { readonly userId: string; readonly typed: string },
): Promise<boolean> => {
  const used = await transaction.run(sql`
    update minaret.recovery_codes set used_at = now()
    where user_id = ${userId} and code_hash = ${digestOf(secret, userId, typed)} and used_at is null`)
  return used > 0
}

export const countRecoveryCodes = async (database: Queryable, userId: string): Promise<number> => {
  const row = await database.first<{ count: number }>(sql`
    select count(*)::int as count from minaret.recovery_codes where user_id = ${userId} and used_at is null`)
  return row?.count ?? 0
}
