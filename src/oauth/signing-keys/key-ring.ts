// The stored signing keys → the keys that sign, and the JWKS that publishes them all.
import type { SigningAlgorithm, SigningKey } from './signing-key.ts'

export interface KeyRing {
  readonly active: Readonly<Record<SigningAlgorithm, SigningKey>>
  readonly keys: readonly SigningKey[]
  /** The serialized JWKS (RFC 7517 section 5). */
  readonly jwks: string
}

const activeFor = (keys: readonly SigningKey[], algorithm: SigningAlgorithm): SigningKey => {
  const found = keys.find(key => key.algorithm === algorithm && key.state === 'active')
  if (found === undefined) throw new Error(`There is no active signing key for ${algorithm}.`)
  return found
}

/** @throws if an algorithm has no active key. */
export const makeKeyRing = (keys: readonly SigningKey[]): KeyRing => ({
  active: { ES256: activeFor(keys, 'ES256'), RS256: activeFor(keys, 'RS256') },
  keys,
  jwks: JSON.stringify({ keys: keys.map(({ publicJwk }) => publicJwk) }),
})
