// An approved grant → the token response (RFC 6749 section 5.1), with an ID token if the scopes include `openid`.
import { audienceOf, type Resource } from '../access/resources.ts'
import type { Scope } from '../access/scopes.ts'
import { screenAudience } from '../access/screen-tokens.ts'
import { epochSeconds } from '../base/clock.ts'
import { acrOf } from './authorize/authentication-context.ts'
import type { Client } from './clients/client.ts'
import type { Issuer } from './issuer.ts'
import { mintAccessToken, tokenTypeOf } from './tokens/access-token.ts'
import { mintIdToken } from './tokens/id-token.ts'

export interface TokenResponse {
  readonly access_token: string
  readonly token_type: 'bearer' | 'DPoP'
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
  /** How the person signed in; empty if it is not known. */
  readonly amr: readonly string[]
  /** The session in the browser, as apps know it; null for a device. */
  readonly sid: string | null
  readonly nonce: string | undefined
  /** What the token is for; null: the service as a whole. */
  readonly resource: Resource | null
  readonly refreshToken: string
  /** The key that the access token is bound to; undefined: a bearer token. */
  readonly thumbprint: string | undefined
}

/** Tokens of a development client are for the sandbox: no other endpoint with data accepts that audience. */
const audienceFor = ({ baseUrl, sandboxUrl }: Issuer, { development }: Client, resource: Resource | null): string =>
  development ? sandboxUrl : audienceOf(baseUrl, resource ?? undefined)

interface AppGrant extends Pick<UserGrant, 'resource' | 'thumbprint'> {
  readonly scope: string
}

export const respondForApp = async (
  issuer: Issuer,
  client: Client,
  { scope, resource, thumbprint }: AppGrant,
): Promise<TokenResponse> => {
  const token = await mintAccessToken(issuer.keys.current().active.ES256, {
    issuer: issuer.baseUrl,
    audience: audienceFor(issuer, client, resource),
    subject: client.clientId,
    clientId: client.clientId,
    scope,
    grantId: undefined,
    thumbprint,
    issuedAt: epochSeconds(issuer.clock.now()),
    seconds: client.accessSeconds,
  })
  return { access_token: token, token_type: tokenTypeOf(thumbprint), expires_in: client.accessSeconds, scope }
}

/** RFC 9068 section 2.2: where no person is involved, the subject is the client. The grant says whose masjid it is. */
const respondForMasjid = async (
  { baseUrl, keys, clock }: Issuer,
  client: Client,
  { scopes, grantId, refreshToken }: Pick<UserGrant, 'scopes' | 'grantId' | 'refreshToken'>,
): Promise<TokenResponse> => {
  const scope = scopes.join(' ')
  const token = await mintAccessToken(keys.current().active.ES256, {
    issuer: baseUrl,
    audience: screenAudience(baseUrl),
    subject: client.clientId,
    clientId: client.clientId,
    scope,
    grantId,
    issuedAt: epochSeconds(clock.now()),
    seconds: client.accessSeconds,
  })
  const shared = { access_token: token, token_type: 'bearer', expires_in: client.accessSeconds } as const
  return { ...shared, refresh_token: refreshToken, scope }
}

/** A grant that may be a masjid's: then it has no user. */
export const respondForGrant = (
  issuer: Issuer,
  client: Client,
  { userId, ...grant }: Omit<UserGrant, 'userId'> & { readonly userId: string | null },
): Promise<TokenResponse> =>
  userId === null ? respondForMasjid(issuer, client, grant) : respondForUser(issuer, client, { ...grant, userId })

export const respondForUser = async (issuer: Issuer, client: Client, grant: UserGrant): Promise<TokenResponse> => {
  const { active } = issuer.keys.current()
  const shared = { issuer: issuer.baseUrl, clientId: client.clientId, issuedAt: epochSeconds(issuer.clock.now()) }
  const scope = grant.scopes.join(' ')
  const authenticatedAt = epochSeconds(grant.authenticatedAt)
  const acr = acrOf(grant.amr)
  const strong = acr === undefined || acr === 'aal1' ? undefined : { acr, authenticatedAt }
  const audience = audienceFor(issuer, client, grant.resource)
  const seconds = client.accessSeconds
  const { thumbprint, grantId } = grant
  const claims = { ...shared, seconds, audience, subject: grant.userId, scope, grantId, strong, thumbprint }
  const token = await mintAccessToken(active.ES256, claims)
  const response: TokenResponse = {
    access_token: token,
    token_type: tokenTypeOf(thumbprint),
    expires_in: client.accessSeconds,
    refresh_token: grant.refreshToken,
    scope,
  }
  if (!grant.scopes.includes('openid')) return response
  const { userId, nonce, amr, sid } = grant
  const idToken = { ...shared, userId, nonce, authenticatedAt, amr, acr, sid: sid ?? undefined, accessToken: token }
  return { ...response, id_token: await mintIdToken(active[client.idTokenAlgorithm], idToken) }
}
