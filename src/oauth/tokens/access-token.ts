// A subject, an app and scopes → a JWT access token (RFC 9068).
import { randomUUID } from 'node:crypto'
import type { SigningKey } from '../signing-keys/signing-key.ts'
import { signJwt } from './sign-jwt.ts'

export interface AccessTokenInput {
  readonly issuer: string
  /** Who may accept it; by default every endpoint of the service. */
  readonly audience?: string
  /** The user's UUID, or the client_id if the app acts for itself (RFC 9068 section 2.2). */
  readonly subject: string
  readonly clientId: string
  readonly scope: string
  /** The authorization it was issued from; undefined for client credentials. */
  readonly grantId: string | undefined
  readonly issuedAt: number
  readonly seconds: number
  /** The key it is bound to (RFC 9449); undefined: a bearer token. */
  readonly thumbprint?: string | undefined
  /** For a person who signed in with more than a password (RFC 9068 section 2.2.1). */
  readonly strong?: { readonly acr: string; readonly authenticatedAt: number } | undefined
}

/** Section 6.1: the confirmation claim, in tokens and introspection alike. */
export const confirmationOf = (thumbprint: string | undefined): { readonly jkt: string } | undefined =>
  thumbprint === undefined ? undefined : { jkt: thumbprint }

export const tokenTypeOf = (thumbprint: string | undefined): 'bearer' | 'DPoP' =>
  thumbprint === undefined ? 'bearer' : 'DPoP'

export const mintAccessToken = (key: SigningKey, input: AccessTokenInput): Promise<string> =>
  signJwt(key, 'at+jwt', {
    iss: input.issuer,
    aud: input.audience ?? input.issuer,
    sub: input.subject,
    client_id: input.clientId,
    scope: input.scope,
    jti: randomUUID(),
    iat: input.issuedAt,
    exp: input.issuedAt + input.seconds,
    grant_id: input.grantId,
    acr: input.strong?.acr,
    auth_time: input.strong?.authenticatedAt,
    cnf: confirmationOf(input.thumbprint),
  })
