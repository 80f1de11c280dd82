// An approved grant → the token response (RFC 6749 section 5.1), with an ID token if the scopes include `openid`.
import type { Scope } from '../access/scopes.ts'
import { epochSeconds } from '../base/clock.ts'
import type { Client } from './clients/client.ts'
import type { Issuer } from './issuer.ts'
import { ACCESS_TOKEN_SECONDS } from './lifetimes.ts'
import { mintAccessToken } from './tokens/access-token.ts'
import { mintIdToken } from './tokens/id-token.ts'

export interface TokenResponse {
  readonly access_token: string
  readonly token_type: 'bearer'
  readonly expires_in: number
  readonly refresh_token?: string
  readonly id_token?: string
  readonly scope: string
}

export interface UserGrant {
  readonly grantId: string
  readonly userId: string
  readonly scopes: readonly Scope[]
  readonly authenticatedAt: Date
  readonly nonce: string | undefined
  readonly refreshToken: string
}

export const respondForApp = async (issuer: Issuer, client: Client, scope: string): Promise<TokenResponse> => {
  const token = await mintAccessToken(issuer.keys.current().active.ES256, {
    issuer: issuer.baseUrl,
    subject: client.clientId,
    clientId: client.clientId,
    scope,
    grantId: undefined,
    issuedAt: epochSeconds(issuer.clock.now()),
  })
  return { access_token: token, token_type: 'bearer', expires_in: ACCESS_TOKEN_SECONDS, scope }
}

export const respondForUser = async (issuer: Issuer, client: Client, grant: UserGrant): Promise<TokenResponse> => {
  const { active } = issuer.keys.current()
  const shared = { issuer: issuer.baseUrl, clientId: client.clientId, issuedAt: epochSeconds(issuer.clock.now()) }
  const scope = grant.scopes.join(' ')
  const claims = { ...shared, subject: grant.userId, scope, grantId: grant.grantId }
  const token = await mintAccessToken(active.ES256, claims)
  const response: TokenResponse = {
    access_token: token,
    token_type: 'bearer',
    expires_in: ACCESS_TOKEN_SECONDS,
    refresh_token: grant.refreshToken,
    scope,
  }
  if (!grant.scopes.includes('openid')) return response
  const { userId, nonce } = grant
  const authenticatedAt = epochSeconds(grant.authenticatedAt)
  const idToken = { ...shared, userId, nonce, authenticatedAt, accessToken: token }
  return { ...response, id_token: await mintIdToken(active[client.idTokenAlgorithm], idToken) }
}
