// Random values, digests, and constant-time comparison.
import { createHmac, hash, randomBytes, timingSafeEqual } from 'node:crypto'

const base62Alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

export const randomToken = (bytes = 32): string => randomBytes(bytes).toString('base64url')

/** Bytes of 248 and above are discarded, so that every letter is equally likely. */
export const randomBase62 = (length: number): string => {
  let letters = ''
  while (letters.length < length) {
    for (const byte of randomBytes(length))
      if (byte < 248 && letters.length < length) letters += base62Alphabet[byte % 62]
  }
  return letters
}

export const sha256 = (text: string): Buffer => hash('sha256', text, 'buffer')

export const sha256Base64url = (text: string | Uint8Array): string => hash('sha256', text, 'base64url')

/** A secret for one purpose, derived from the installation's secret. */
export const deriveSecret = (secret: string, purpose: string): Buffer =>
  createHmac('sha256', secret).update(`minaret:${purpose}`).digest()

/** The installation's secret; after it, while it is being replaced, the other one that is accepted. */
export type Secrets = readonly [string, ...string[]]

/** What `deriveSecret` makes of each: the first seals, and any of them opens. */
export type SealingSecrets = readonly [Buffer, ...Buffer[]]

export const deriveSecrets = ([current, ...others]: Secrets, purpose: string): SealingSecrets => [
  deriveSecret(current, purpose),
  ...others.map(secret => deriveSecret(secret, purpose)),
]

export const equalBytes = (left: Uint8Array, right: Uint8Array): boolean =>
  left.byteLength === right.byteLength && timingSafeEqual(left, right)
