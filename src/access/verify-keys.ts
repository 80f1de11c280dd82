// A kid → the public key of ours with that name, read from the table of signing keys and remembered until it changes.
import { importJWK, type JWK } from 'jose'
import type { Queryable } from '../db/database.ts'
import type { Listener } from '../db/listener.ts'
import { sql } from '../db/sql.ts'
import type { VerifyKeys } from './access-tokens.ts'
import { createRemembered } from './remembered.ts'

const REMEMBERED = 50
/** Kids are made by us; what does not look like one is not worth a question. */
const shape = /^[\w-]{1,100}$/

const findKey = async (database: Queryable, kid: string): Promise<CryptoKey | undefined> => {
  const row = await database.first<{ public_jwk: JWK }>(sql`
    select public_jwk from minaret.signing_keys where kid = ${kid} and algorithm = 'ES256'`)
  if (row === undefined) return undefined
  const key = await importJWK(row.public_jwk, 'ES256')
  return key instanceof CryptoKey ? key : undefined
}

export const createVerifyKeys = async (database: Queryable, listener: Listener): Promise<VerifyKeys> => {
  const keys = createRemembered<CryptoKey>({ max: REMEMBERED, inTouch: () => listener.connected })
  listener.onReconnected(() => keys.forget())
  await listener.on('minaret_signing_keys', () => keys.forget())
  return kid => (shape.test(kid) ? keys.get(kid, () => findKey(database, kid)) : undefined)
}
