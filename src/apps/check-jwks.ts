// A JWKS document as it was pasted → public keys that can verify signatures, or what is wrong with it.
import { importJWK, type JSONWebKeySet, type JWK } from 'jose'

/** RFC 8725 section 3.1: asymmetric ones alone. With HS256 a public key would be the secret. */
export const assertionAlgorithms = ['ES256', 'ES384', 'EdDSA', 'RS256', 'PS256'] as const
type AssertionAlgorithm = (typeof assertionAlgorithms)[number]

type JwksFault = 'not_json' | 'no_keys' | 'too_many_keys' | 'private_key' | 'unusable_key' | 'repeated_kid'

export type CheckedJwks =
  | { readonly kind: 'checked'; readonly jwks: JSONWebKeySet }
  | { readonly kind: 'faulty'; readonly fault: JwksFault }

const MOST_KEYS = 10
const LEAST_RSA_BYTES = 256
const publicMembers = ['kty', 'crv', 'x', 'y', 'n', 'e', 'kid', 'alg', 'use'] as const
const privateMembers = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'] as const

const algorithmsOf: Readonly<Record<string, readonly AssertionAlgorithm[]>> = {
  'EC P-256': ['ES256'],
  'EC P-384': ['ES384'],
  'OKP Ed25519': ['EdDSA'],
  RSA: ['RS256', 'PS256'],
}

const usualAlgorithm = ({ kty, crv, alg }: JWK): AssertionAlgorithm | undefined => {
  const known = algorithmsOf[kty === 'RSA' ? 'RSA' : `${kty} ${crv}`] ?? []
  return alg === undefined ? known[0] : known.find(name => name === alg)
}

const isUsable = async (key: JWK): Promise<boolean> => {
  const algorithm = usualAlgorithm(key)
  if (algorithm === undefined || (key.use !== undefined && key.use !== 'sig')) return false
  if (key.kty === 'RSA' && Buffer.from(key.n ?? '', 'base64url').length < LEAST_RSA_BYTES) return false
  return importJWK(key, algorithm).then(
    () => true,
    () => false,
  )
}

/** Only what is needed of each key: nothing else is kept, or shown to anybody. */
const strip = (key: JWK): JWK =>
  Object.fromEntries(publicMembers.filter(name => typeof key[name] === 'string').map(name => [name, key[name]]))

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const faulty = (fault: JwksFault): CheckedJwks => ({ kind: 'faulty', fault })

const checkKeys = async (keys: readonly JWK[]): Promise<CheckedJwks> => {
  if (keys.length === 0) return faulty('no_keys')
  if (keys.length > MOST_KEYS) return faulty('too_many_keys')
  if (keys.some(key => privateMembers.some(name => name in key))) return faulty('private_key')
  for (const key of keys) if (!(await isUsable(key))) return faulty('unusable_key')
  const kids = keys.map(({ kid }) => kid)
  if (new Set(kids).size < keys.length) return faulty('repeated_kid')
  return { kind: 'checked', jwks: { keys: keys.map(strip) } }
}

export const checkJwks = async (text: string): Promise<CheckedJwks> => {
  try {
    const document: unknown = JSON.parse(text)
    if (!isObject(document)) return faulty('not_json')
    // A single key is what tools print; it is meant as a document with that key.
    const keys: unknown = 'kty' in document ? [document] : document.keys
    if (!Array.isArray(keys) || !keys.every(isObject)) return faulty('no_keys')
    return await checkKeys(keys as JWK[])
  } catch (error) {
    if (error instanceof SyntaxError) return faulty('not_json')
    throw error
  }
}
