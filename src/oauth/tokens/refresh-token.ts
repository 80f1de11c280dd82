// Refresh tokens: the first is random, each successor derived from the one before. So a repeat gets the same successor
// although only digests are stored.
import { createHmac } from 'node:crypto'
import { randomToken } from '../../base/secrets.ts'

const PREFIX = 'rt_'

export const newRefreshToken = (): string => PREFIX + randomToken(32)

/** The next token cannot be derived without the installation's secret. */
export const successorOf = (refreshToken: string, secret: Buffer): string =>
  PREFIX + createHmac('sha256', secret).update(refreshToken).digest('base64url')

/** `rt_` and 256 bits in base64url; anything else is not one of ours. */
export const looksLikeRefreshToken = (text: string): boolean => /^rt_[\w-]{43}$/.test(text)
