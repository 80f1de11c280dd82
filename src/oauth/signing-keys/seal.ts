// A private key ↔ bytes that are safe to store, bound to the key's name.
import { createPrivateKey, type KeyObject } from 'node:crypto'
import { type SealedFor, seal, unseal } from '../../base/seal.ts'

/** The purpose that the sealing secret is derived for. */
export const SIGNING_KEYS_PURPOSE = 'signing keys'

export const sealPrivateKey = (privateKey: KeyObject, kid: string, secret: SealedFor['secret']): Buffer =>
  seal(privateKey.export({ type: 'pkcs8', format: 'der' }), { name: kid, secret })

/** @throws if the secret, the name or the bytes do not match. */
export const openPrivateKey = (bytes: Buffer, kid: string, secret: SealedFor['secret']): KeyObject =>
  createPrivateKey({ key: unseal(bytes, { name: kid, secret }), type: 'pkcs8', format: 'der' })
