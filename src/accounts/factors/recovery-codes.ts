// Ten codes for a lost phone: each works once, and only its keyed digest is stored.
import { createHmac, randomBytes } from 'node:crypto'
import { unseal } from '../../base/seal.ts'
import type { SealingSecrets } from '../../base/secrets.ts'
import type { Queryable } from '../../db/database.ts'
import { sql } from '../../db/sql.ts'
import { recoveryKeyName } from './sealing.ts'

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
export const renewRecoveryCodes = async (
  transaction: Queryable,
  [secret]: SealingSecrets,
  userId: string,
): Promise<string[]> => {
  const codes = Array.from({ length: COUNT }, newCode)
  const digests = codes.map(code => digestOf(secret, userId, code))
  await transaction.run(sql`delete from minaret.recovery_codes where user_id = ${userId}`)
  await transaction.run(sql`
    insert into minaret.recovery_codes (user_id, code_hash) select ${userId}, unnest(${digests}::bytea[])`)
  return codes
}

/** Codes that were printed before the installation's secret was replaced still count. */
const digestsOf = async (
  transaction: Queryable,
  secrets: SealingSecrets,
  { userId, typed }: { readonly userId: string; readonly typed: string },
): Promise<Buffer[]> => {
  const kept = await transaction.query<{ id: string; sealed: Buffer }>(
    sql`select id, sealed from minaret.recovery_keys`,
  )
  const keys = kept.map(({ id, sealed }) => unseal(sealed, { name: recoveryKeyName(id), secret: secrets }))
  return [...secrets, ...keys].map(key => digestOf(key, userId, typed))
}

/** In one statement: of two uses at once, one succeeds. */
export const useRecoveryCode = async (
  transaction: Queryable,
  secrets: SealingSecrets,
  code: { readonly userId: string; readonly typed: string },
): Promise<boolean> => {
  const digests = await digestsOf(transaction, secrets, code)
  const used = await transaction.run(sql`
    update minaret.recovery_codes set used_at = now()
    where user_id = ${code.userId} and code_hash = any (${digests}::bytea[]) and used_at is null`)
  return used > 0
}

export const countRecoveryCodes = async (database: Queryable, userId: string): Promise<number> => {
  const row = await database.first<{ count: number }>(sql`
    select count(*)::int as count from minaret.recovery_codes where user_id = ${userId} and used_at is null`)
  return row?.count ?? 0
}
