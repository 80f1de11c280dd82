// An algorithm → a fresh key pair, named by its RFC 7638 thumbprint.
import { generateKeyPair, type KeyObject } from 'node:crypto'
import { promisify } from 'node:util'
import { calculateJwkThumbprint, exportJWK, type JWK } from 'jose'
import type { SigningAlgorithm } from './signing-key.ts'

export interface KeyPair {
  readonly kid: string
  readonly algorithm: SigningAlgorithm
  readonly publicJwk: JWK
  readonly privateKey: KeyObject
}

const generate = promisify(generateKeyPair)

const generateHalves = (algorithm: SigningAlgorithm): Promise<{ publicKey: KeyObject; privateKey: KeyObject }> =>
  algorithm === 'ES256' ? generate('ec', { namedCurve: 'P-256' }) : generate('rsa', { modulusLength: 2048 })

export const generateKey = async (algorithm: SigningAlgorithm): Promise<KeyPair> => {
  const { publicKey, privateKey } = await generateHalves(algorithm)
  const bare = await exportJWK(publicKey)
  const kid = await calculateJwkThumbprint(bare)
  return { kid, algorithm, publicJwk: { ...bare, kid, alg: algorithm, use: 'sig' }, privateKey }
}
