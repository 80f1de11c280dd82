// The Authorization header of a request to the sandbox → what it may read there.
import { anonymousGrant } from '../access/anonymous-grant.ts'
import { bearerOf } from '../access/bearer.ts'
import type { Access } from '../access/create-access.ts'
import type { Credentials } from '../access/credentials.ts'
import type { Grant } from '../access/grant.ts'
import { dataScopes, publicScopes } from '../access/scopes.ts'
import { publicTestKey } from './public-test-key.ts'

const everyRow = { environment: 'test', masjids: '*' } as const

/** For everyone: the three scopes without personal data, and none to write. */
export const visitorGrant: Grant = {
  ...anonymousGrant(publicScopes, everyRow),
  advice: `Here the public test key has every scope: send the header "Authorization: Bearer ${publicTestKey}".`,
}

/** For the schema file, which shows every table but no rows. */
export const wholeSchemaGrant: Grant = anonymousGrant(dataScopes, everyRow)

/** If a header is sent, it must have a valid test key: whoever sends another credential should find out. */
export const createSandboxCredentials = (access: Pick<Access, 'authenticate'>): Credentials => ({
  recognise: authorization => (authorization === undefined ? visitorGrant : undefined),
  authenticate: async authorization => access.authenticate(bearerOf(authorization), 'test'),
})
