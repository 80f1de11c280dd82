// Scopes → the grant of somebody without a credential.
import type { Grant } from './grant.ts'
import { type Scope, scopeKeyOf } from './scopes.ts'

export const anonymousGrant = (scopes: readonly Scope[], reach: Pick<Grant, 'environment' | 'masjids'>): Grant => ({
  kind: 'anonymous',
  credential: 'none',
  ...reach,
  appId: undefined,
  clientId: undefined,
  userId: undefined,
  keyId: undefined,
  tokenId: undefined,
  grantId: undefined,
  scopes: new Set(scopes),
  scopeKey: scopeKeyOf(scopes),
  ownMasjids: [],
  expiresAt: undefined,
})
