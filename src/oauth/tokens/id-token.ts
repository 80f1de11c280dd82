// A sign-in and its access token → an ID token (OpenID Connect Core section 2).
import { createHash } from 'node:crypto'
import { ID_TOKEN_SECONDS } from '../lifetimes.ts'
import type { SigningKey } from '../signing-keys/signing-key.ts'
import { signJwt } from './sign-jwt.ts'

export interface IdTokenInput {
  readonly issuer: string
  readonly userId: string
  readonly clientId: string
  readonly nonce: string | undefined
  readonly authenticatedAt: number
  /** How the person signed in (RFC 8176), and what that is worth. */
  readonly amr: readonly string[]
  readonly acr: string | undefined
  /** The session in the browser (OpenID Connect Back-Channel Logout section 2.1). */
  readonly sid: string | undefined
  readonly accessToken: string
  readonly issuedAt: number
}

/** OpenID Connect Core section 3.1.3.6: the left half of the hash of the token's ASCII octets. */
export const accessTokenHash = (accessToken: string): string =>
  createHash('sha256').update(accessToken, 'ascii').digest().subarray(0, 16).toString('base64url')

export const mintIdToken = (key: SigningKey, input: IdTokenInput): Promise<string> =>
  signJwt(key, 'JWT', {
    iss: input.issuer,
    sub: input.userId,
    aud: input.clientId,
    iat: input.issuedAt,
    exp: input.issuedAt + ID_TOKEN_SECONDS,
    auth_time: input.authenticatedAt,
    amr: input.amr.length === 0 ? undefined : input.amr,
    acr: input.acr,
    nonce: input.nonce,
    sid: input.sid,
    at_hash: accessTokenHash(input.accessToken),
  })
