// A verified token and its app → the current grant.
import type { VerifiedToken } from './access-tokens.ts'
import type { AppReach } from './app-reach.ts'
import type { Grant } from './grant.ts'
import { scopeKeyOf } from './scopes.ts'

/** Without the scopes withdrawn from the app since the token was issued. */
export const tokenGrant = (token: VerifiedToken, app: AppReach): Grant => {
  const scopes = new Set(token.scopes.filter(scope => app.scopes.has(scope)))
  const forUser = token.userId !== undefined
  return {
    kind: forUser ? 'user' : 'app',
    credential: 'access_token',
    environment: app.development ? 'test' : 'live',
    appId: app.appId,
    clientId: app.clientId,
    userId: token.userId,
    keyId: undefined,
    tokenId: token.tokenId,
    grantId: token.grantId,
    scopes,
    scopeKey: scopeKeyOf(scopes),
    masjids: forUser ? [] : app.masjids,
    ownMasjids: forUser ? [] : app.ownMasjids,
    ...(app.ownRows ? { ownRows: true } : {}),
    expiresAt: token.expiresAt,
    acr: token.acr,
    authenticatedAt: token.authenticatedAt,
    thumbprint: token.thumbprint,
  }
}
