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

/** Everybody: the three scopes that reach no people. */
export const anonymousGrant: Grant = {
  ...withoutCredential(publicScopes),
  advice: `Here the public test key has every scope: send the header "Authorization: Bearer ${publicTestKey}".`,
}

/** For the schema as a file, which shows every table and no row. */
export const wholeSchemaGrant: Grant = withoutCredential(dataScopes)

/** A header that is there must hold a good test key: somebody who sends another credential should hear of it. */
export const createSandboxCredentials = (access: Pick<Access, 'authenticate'>): Credentials => ({
  recognise: authorization => (authorization === undefined ? anonymousGrant : undefined),
  authenticate: async authorization => access.authenticate(bearerOf(authorization), 'test'),
})
