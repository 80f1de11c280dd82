// Refresh tokens: random at first, then each derived from the one before, so that a repeat finds its successor again
// though only digests are stored.
import { createHmac } from 'node:crypto'
import { randomToken } from '../../base/secrets.ts'

const PREFIX = 'rt_'

export const newRefreshToken = (): string => PREFIX + randomToken(32)

/** Nobody without the secret of the installation can go from a token to the next one. */
export const successorOf = (refreshToken: string, secret: Buffer): string =>
  PREFIX + createHmac('sha256', secret).update(refreshToken).digest('base64url')

/** `rt_` and 256 bits in base64url; anything else cannot be one of ours. */
export const looksLikeRefreshToken = (text: string): boolean => /^rt_[\w-]{43}$/.test(text)
