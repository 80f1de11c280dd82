// The Authorization header of a request to the sandbox → what it may read there.
import { bearerOf } from '../access/bearer.ts'
import type { Access } from '../access/create-access.ts'
import type { Credentials } from '../access/credentials.ts'
import type { Grant } from '../access/grant.ts'
import { dataScopes, publicScopes, type Scope, scopeKeyOf } from '../access/scopes.ts'
import { publicTestKey } from './public-test-key.ts'

const withoutCredential = (scopes: readonly Scope[]): Grant => ({
  kind: 'anonymous',
  credential: 'none',
  environment: 'test',
  appId: undefined,
  clientId: undefined,
  userId: undefined,
  keyId: undefined,
  tokenId: undefined,
  grantId: undefined,
  scopes: new Set(scopes),
  scopeKey: scopeKeyOf(scopes),
  masjids: '*',
  ownMasjids: [],
  expiresAt: undefined,
})

/** For everyone: the three scopes without personal data, and none to write. */
export const anonymousGrant: Grant = {
  ...withoutCredential(publicScopes),
  advice: `Here the public test key has every scope: send the header "Authorization: Bearer ${publicTestKey}".`,
}

/** For the schema file, which shows every table but no rows. */
export const wholeSchemaGrant: Grant = withoutCredential(dataScopes)

/** If a header is sent, it must have a valid test key: whoever sends another credential should find out. */
export const createSandboxCredentials = (access: Pick<Access, 'authenticate'>): Credentials => ({
  recognise: authorization => (authorization === undefined ? anonymousGrant : undefined),
  authenticate: async authorization => access.authenticate(bearerOf(authorization), 'test'),
})
