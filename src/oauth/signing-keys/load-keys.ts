// The table of signing keys → a key ring, each private key decrypted with the installation's secret.
import type { SealedFor } from '../../base/seal.ts'
import type { Queryable } from '../../db/database.ts'
import { StartFault } from '../../db/embedded/start-fault.ts'
import { sql } from '../../db/sql.ts'
import { type KeyRing, makeKeyRing } from './key-ring.ts'
import { openPrivateKey } from './seal.ts'
import { makeSigningKey, type SigningKey, type SigningKeyInput } from './signing-key.ts'

interface KeyRow extends Omit<SigningKeyInput, 'privateKey'> {
  readonly sealed: Buffer
}

const openKey = ({ sealed, ...row }: KeyRow, secret: SealedFor['secret']): SigningKey => {
  try {
    return makeSigningKey({ ...row, privateKey: openPrivateKey(sealed, row.kid, secret) })
  } catch (error) {
    throw new StartFault(
      'The signing keys in the database cannot be decrypted with this MINARET_SECRET. Set it to the one they were created with.',
      error,
    )
  }
}

export const loadKeyRing = async (database: Queryable, secret: SealedFor['secret']): Promise<KeyRing> => {
  const rows = await database.query<KeyRow>(sql`
    select kid, algorithm, state, public_jwk as "publicJwk", private_key_sealed as sealed
    from minaret.signing_keys order by created_at desc, kid`)
  return makeKeyRing(rows.map(row => openKey(row, secret)))
}
