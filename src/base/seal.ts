// Bytes that must be read again ↔ bytes that are safe to store: AES-256-GCM with a derived secret, bound to a name.
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

const NONCE_BYTES = 12
const TAG_BYTES = 16

export interface SealedFor {
  /** What the bytes belong to: under another name they cannot be opened. */
  readonly name: string
  /** 32 bytes, from `deriveSecret`. */
  readonly secret: Buffer
}

export const seal = (bytes: Buffer, { name, secret }: SealedFor): Buffer => {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv('aes-256-gcm', secret, nonce).setAAD(Buffer.from(name))
  const sealed = Buffer.concat([cipher.update(bytes), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed])
}

/** @throws if the secret, the name or the bytes do not match. */
export const unseal = (sealed: Buffer, { name, secret }: SealedFor): Buffer => {
  const nonce = sealed.subarray(0, NONCE_BYTES)
  const tag = sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES)
  const decipher = createDecipheriv('aes-256-gcm', secret, nonce).setAAD(Buffer.from(name)).setAuthTag(tag)
  return Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()])
}
