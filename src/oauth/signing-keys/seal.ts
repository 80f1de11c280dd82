// A private key ↔ bytes that are safe to store: AES-256-GCM with the installation's secret, bound to the key's name.
import { createCipheriv, createDecipheriv, createPrivateKey, type KeyObject, randomBytes } from 'node:crypto'

/** The purpose that the sealing secret is derived for. */
export const SIGNING_KEYS_PURPOSE = 'signing keys'

const NONCE_BYTES = 12
const TAG_BYTES = 16

export const sealPrivateKey = (privateKey: KeyObject, kid: string, secret: Buffer): Buffer => {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv('aes-256-gcm', secret, nonce).setAAD(Buffer.from(kid))
  const sealed = Buffer.concat([cipher.update(privateKey.export({ type: 'pkcs8', format: 'der' })), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed])
}

/** @throws if the secret, the name or the bytes do not match. */
export const openPrivateKey = (bytes: Buffer, kid: string, secret: Buffer): KeyObject => {
  const nonce = bytes.subarray(0, NONCE_BYTES)
  const tag = bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES)
  const decipher = createDecipheriv('aes-256-gcm', secret, nonce).setAAD(Buffer.from(kid)).setAuthTag(tag)
  const key = Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()])
  return createPrivateKey({ key, type: 'pkcs8', format: 'der' })
}
