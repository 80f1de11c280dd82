// A person who has signed out → the token that tells an app so (OpenID Connect Back-Channel Logout 1.0, section 2.4).
import { randomUUID } from 'node:crypto'
import type { SigningKey } from '../signing-keys/signing-key.ts'
import { signJwt } from '../tokens/sign-jwt.ts'

/** "Preferably at most two minutes": a new one is made for every attempt. */
const LOGOUT_TOKEN_SECONDS = 120

export interface LogoutTokenInput {
  readonly issuer: string
  readonly clientId: string
  readonly userId: string
  /** Undefined: every session of the person. */
  readonly sid: string | undefined
  readonly issuedAt: number
}

/** Never a `nonce`, and a type of its own: it must not pass for an ID token. */
export const mintLogoutToken = (key: SigningKey, input: LogoutTokenInput): Promise<string> =>
  signJwt(key, 'logout+jwt', {
    iss: input.issuer,
    aud: input.clientId,
    sub: input.userId,
    sid: input.sid,
    iat: input.issuedAt,
    exp: input.issuedAt + LOGOUT_TOKEN_SECONDS,
    jti: randomUUID(),
    events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
  })
