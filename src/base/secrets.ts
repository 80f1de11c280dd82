// Random values, their digests, and comparisons whose time tells nothing.
import { createHmac, hash, randomBytes, timingSafeEqual } from 'node:crypto'

const base62Alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

export const randomToken = (bytes = 32): string => randomBytes(bytes).toString('base64url')

/** Bytes of 248 and above are thrown away, so that every letter is equally likely. */
export const randomBase62 = (length: number): string => {
  let letters = ''
  while (letters.length < length) {
    for (const byte of randomBytes(length))
      if (byte < 248 && letters.length < length) letters += base62Alphabet[byte % 62]
  }
  return letters
}

export const sha256 = (text: string): Buffer => hash('sha256', text, 'buffer')

export const sha256Base64url = (text: string): string => hash('sha256', text, 'base64url')

/** A secret for one purpose, made from the one secret of the installation. */
export const deriveSecret = (secret: string, purpose: string): Buffer =>
  createHmac('sha256', secret).update(`minaret:${purpose}`).digest()

export const equalBytes = (left: Uint8Array, right: Uint8Array): boolean =>
  left.byteLength === right.byteLength && timingSafeEqual(left, right)
