// Bytes that must be read again ↔ bytes that are safe to store: AES-256-GCM with a derived secret, bound to a name.
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { Fault } from './fault.ts'
import type { SealingSecrets } from './secrets.ts'

const NONCE_BYTES = 12
const TAG_BYTES = 16

export interface SealedFor {
  /** What the bytes belong to: under another name they cannot be opened. */
  readonly name: string
  /** 32 bytes, from `deriveSecret`; of several the first seals, and any of them opens. */
  readonly secret: Buffer | SealingSecrets
}

const firstOf = (secret: SealedFor['secret']): Buffer => (Buffer.isBuffer(secret) ? secret : secret[0])

export const seal = (bytes: Buffer, { name, secret }: SealedFor): Buffer => {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv('aes-256-gcm', firstOf(secret), nonce).setAAD(Buffer.from(name))
  const sealed = Buffer.concat([cipher.update(bytes), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed])
}

const open = (sealed: Buffer, name: string, secret: Buffer): Buffer => {
  const nonce = sealed.subarray(0, NONCE_BYTES)
  const tag = sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES)
  const decipher = createDecipheriv('aes-256-gcm', secret, nonce).setAAD(Buffer.from(name)).setAuthTag(tag)
  return Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()])
}

const tryToOpen = (sealed: Buffer, { name, secret }: SealedFor): { bytes: Buffer } | { error: unknown } => {
  let failure: unknown
  for (const one of Buffer.isBuffer(secret) ? [secret] : secret) {
    try {
      return { bytes: open(sealed, name, one) }
    } catch (error) {
      failure = error
    }
  }
  return { error: failure }
}

/** @throws {Fault} `sealed_otherwise` if none of the secrets opens it, or the name or the bytes do not match. */
export const unseal = (sealed: Buffer, sealedFor: SealedFor): Buffer => {
  const opened = tryToOpen(sealed, sealedFor)
  if ('bytes' in opened) return opened.bytes
  throw new Fault({
    code: 'sealed_otherwise',
    status: 503,
    message:
      'This cannot be used at the moment: it was stored with another secret of the service. The operator has to act.',
    detail: `what is sealed as "${sealedFor.name.split(' ')[0]}" opens neither with MINARET_SECRET nor with MINARET_SECRET_PREVIOUS: bin/minaret doctor`,
    cause: opened.error,
  })
}
