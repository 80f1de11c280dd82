// A kid → the public key of ours with that name, from the table of signing keys, remembered until it changes.
import { importJWK, type JWK } from 'jose'
import type { Queryable } from '../db/database.ts'
import type { Listener } from '../db/listener.ts'
import { prepared, sql } from '../db/sql.ts'
import type { VerifyKeys } from './access-tokens.ts'
import { createRemembered } from './remembered.ts'

/** All of them: a handful, so that a name that is not among them needs no question of its own. */
interface KnownKeys {
  readonly keys: ReadonlyMap<string, CryptoKey>
  readonly readAt: number
}

/** So long an unknown name stays unknown without asking: whoever forges names cannot keep the database busy with them. */
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
