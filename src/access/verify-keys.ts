// A kid → our public key with that id, from the table of signing keys, cached until the table changes.
import { importJWK, type JWK } from 'jose'
import type { Queryable } from '../db/database.ts'
import type { Listener } from '../db/listener.ts'
import { prepared, sql } from '../db/sql.ts'
import type { VerifyKeys } from './access-tokens.ts'
import { createRemembered } from './remembered.ts'

/** All keys, since there are only a few: an unknown kid needs no query of its own. */
interface KnownKeys {
  readonly keys: ReadonlyMap<string, CryptoKey>
  readonly readAt: number
}

/** How long an unknown kid is refused without a query, so that forged kids cannot keep the database busy. */
const UNKNOWN_FOR_MS = 500

const readKeys = async (database: Queryable): Promise<KnownKeys> => {
  const readAt = performance.now()
  const rows = await database.query<{ kid: string; public_jwk: JWK }>(
    prepared('access_keys', sql`select kid, public_jwk from minaret.signing_keys where algorithm = 'ES256'`),
  )
  const keys = new Map<string, CryptoKey>()
  for (const { kid, public_jwk: jwk } of rows) {
    const key = await importJWK(jwk, 'ES256')
    if (key instanceof CryptoKey) keys.set(kid, key)
  }
  return { keys, readAt }
}

export const createVerifyKeys = async (database: Queryable, listener: Listener): Promise<VerifyKeys> => {
  const remembered = createRemembered<KnownKeys>({ max: 1, inTouch: () => listener.connected })
  listener.onReconnected(() => remembered.forget())
  await listener.on('minaret_signing_keys', () => remembered.forget())
  const known = () => remembered.get('all', () => readKeys(database))
  return async kid => {
    const first = await known()
    const key = first?.keys.get(kid)
    if (key !== undefined || first === undefined || performance.now() - first.readAt < UNKNOWN_FOR_MS) return key
    remembered.forget()
    return (await known())?.keys.get(kid)
  }
}
