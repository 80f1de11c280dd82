// Maintains the signing keys: creates missing ones, activates the next ones when due, deletes expired ones.
import type { SealedFor } from '../../base/seal.ts'
import type { Database, Queryable } from '../../db/database.ts'
import { sql } from '../../db/sql.ts'
import {
  KEY_PUBLISHED_AFTER_USE_SECONDS,
  KEY_PUBLISHED_BEFORE_USE_SECONDS,
  KEY_ROTATION_SECONDS,
} from '../lifetimes.ts'
import { generateKey } from './generate-key.ts'
import { sealPrivateKey } from './seal.ts'
import { type SigningAlgorithm, signingAlgorithms } from './signing-key.ts'

export interface KeyKeeper {
  readonly database: Database
  /** Encrypts the private keys. */
  readonly secret: SealedFor['secret']
}

interface StoredKey {
  readonly kid: string
  readonly algorithm: SigningAlgorithm
  readonly state: 'next' | 'active' | 'retired'
  readonly created_at: Date
  /** For a next key: when it becomes active, if already scheduled. */
  readonly activated_at: Date | null
}

const secondsBetween = (earlier: Date, later: Date): number => (later.getTime() - earlier.getTime()) / 1000

interface NewKey {
  readonly algorithm: SigningAlgorithm
  readonly state: 'next' | 'active'
  readonly now: Date
}

const insertKey = async (
  database: Queryable,
  secret: SealedFor['secret'],
  { algorithm, state, now }: NewKey,
): Promise<void> => {
  const { kid, publicJwk, privateKey } = await generateKey(algorithm)
  const sealed = sealPrivateKey(privateKey, kid, secret)
  await database.run(sql`
    insert into minaret.signing_keys (kid, algorithm, state, public_jwk, private_key_sealed, created_at, activated_at)
    values (${kid}, ${algorithm}, ${state}, ${JSON.stringify(publicJwk)}, ${sealed}, ${now},
      ${state === 'active' ? now : null})`)
}

/** The key being replaced stays published until the last token it signed has expired. */
const giveTurn = async (database: Queryable, next: StoredKey, now: Date): Promise<void> => {
  const forgottenAt = new Date(now.getTime() + KEY_PUBLISHED_AFTER_USE_SECONDS * 1000)
  await database.run(sql`
    update minaret.signing_keys set state = 'retired', retired_at = ${now}, expires_at = ${forgottenAt}
    where algorithm = ${next.algorithm} and state = 'active'`)
  await database.run(sql`
    update minaret.signing_keys set state = 'active', activated_at = ${now} where kid = ${next.kid}`)
}

/** Due after 90 days or on request; never before clients can know the next key. */
const isDue = (active: StoredKey, next: StoredKey, now: Date): boolean => {
  if (secondsBetween(next.created_at, now) < KEY_PUBLISHED_BEFORE_USE_SECONDS) return false
  if (next.activated_at !== null) return next.activated_at <= now
  return secondsBetween(active.activated_at ?? active.created_at, now) >= KEY_ROTATION_SECONDS
}

const maintainAlgorithm = async (
  database: Queryable,
  secret: SealedFor['secret'],
  { algorithm, keys, now }: { algorithm: SigningAlgorithm; keys: readonly StoredKey[]; now: Date },
): Promise<void> => {
  const active = keys.find(key => key.algorithm === algorithm && key.state === 'active')
  const next = keys.find(key => key.algorithm === algorithm && key.state === 'next')
  if (active === undefined) await insertKey(database, secret, { algorithm, state: 'active', now })
  const turn = active !== undefined && next !== undefined && isDue(active, next, now)
  if (turn) await giveTurn(database, next, now)
  if (next === undefined || turn) await insertKey(database, secret, { algorithm, state: 'next', now })
}

/** A lock makes processes take turns, so that each rotation happens once. */
export const withKeysLocked = <T>(keeper: KeyKeeper, work: (database: Queryable) => Promise<T>): Promise<T> =>
  keeper.database.transaction(async transaction => {
    await transaction.run(sql`select pg_advisory_xact_lock(hashtextextended('minaret signing keys', 0))`)
    return work(transaction)
  })

const listKeys = (database: Queryable): Promise<StoredKey[]> =>
  database.query<StoredKey>(sql`select kid, algorithm, state, created_at, activated_at from minaret.signing_keys`)

export const maintainKeys = (keeper: KeyKeeper, now: Date): Promise<void> =>
  withKeysLocked(keeper, async database => {
    const keys = await listKeys(database)
    for (const algorithm of signingAlgorithms)
      await maintainAlgorithm(database, keeper.secret, { algorithm, keys, now })
    const outlived = sql`delete from minaret.signing_keys where expires_at < ${now}`
    if (keys.some(({ state }) => state === 'retired')) await database.run(outlived)
  })
