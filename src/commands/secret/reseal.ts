// Whatever one secret sealed → sealed with another, in one transaction, beside a running service that opens both.

import { recoveryKeyName, SECOND_FACTORS_PURPOSE } from '../../accounts/factors/sealing.ts'
import { seal, unseal } from '../../base/seal.ts'
import { deriveSecret, deriveSecrets, equalBytes, type Secrets } from '../../base/secrets.ts'
import type { Queryable } from '../../db/database.ts'
import { StartFault } from '../../db/embedded/start-fault.ts'
import { sql } from '../../db/sql.ts'
import { SIGNING_KEYS_PURPOSE } from '../../oauth/signing-keys/seal.ts'
import { resealActs } from './reseal-acts.ts'
import { createSealAgain, type SealAgain } from './seal-again.ts'
import { type SealedColumn, type SealedRow, sealedColumns, sealedRows, writeSealed } from './sealed-columns.ts'

/** By what is sealed: how many were sealed again, and how many neither secret opens. */
export interface Resealed {
  readonly what: string
  readonly resealed: number
  readonly unopened: number
}

const resealColumn = async (
  transaction: Queryable,
  column: SealedColumn,
  { secrets, again }: { readonly secrets: Secrets; readonly again: SealAgain },
): Promise<Resealed> => {
  const secret = deriveSecrets(secrets, column.purpose)
  const rows = await transaction.query<SealedRow>(sealedRows(column, 'for update'))
  const opened = rows.flatMap(row => {
    const sealed = again(row.sealed, { name: row.name, secret })
    return sealed === undefined ? [] : [{ ...row, sealed }]
  })
  if (column.purpose === SIGNING_KEYS_PURPOSE && opened.length < rows.length)
    throw new StartFault(
      'Neither MINARET_SECRET nor MINARET_SECRET_PREVIOUS opens the signing keys: set MINARET_SECRET_PREVIOUS to the secret that was used until now.',
    )
  await writeSealed(transaction, column, opened)
  return { what: column.what, resealed: opened.length, unopened: rows.length - opened.length }
}

/** Codes on paper are known by digests that its key made. */
const keepRecoveryKey = async (transaction: Queryable, secrets: Secrets): Promise<void> => {
  const secret = deriveSecrets(secrets, SECOND_FACTORS_PURPOSE)
  const former = deriveSecret(secrets.at(-1) as string, SECOND_FACTORS_PURPOSE)
  const kept = await transaction.query<{ id: string; sealed: Buffer }>(
    sql`select id, sealed from minaret.recovery_keys`,
  )
  if (kept.some(({ id, sealed }) => equalBytes(unseal(sealed, { name: recoveryKeyName(id), secret }), former))) return
  const row = await transaction.first<{ id: string }>(sql`select gen_random_uuid() as id`)
  const id = row?.id ?? ''
  const sealed = seal(former, { name: recoveryKeyName(id), secret })
  await transaction.run(sql`insert into minaret.recovery_keys (id, sealed) values (${id}, ${sealed})`)
}

/** `secrets`: the new one, then the former one. */
export const resealAll = async (transaction: Queryable, secrets: Secrets): Promise<readonly Resealed[]> => {
  // Sealing again is not an act of whoever the rows belong to.
  await transaction.run(sql`select set_config('minaret.taking_back', 'on', true)`)
  await transaction.run(sql`select pg_advisory_xact_lock(hashtextextended('minaret signing keys', 0))`)
  const again = createSealAgain()
  const done: Resealed[] = []
  for (const column of sealedColumns) done.push(await resealColumn(transaction, column, { secrets, again }))
  await resealActs(transaction, secrets, again)
  await keepRecoveryKey(transaction, secrets)
  return done
}
