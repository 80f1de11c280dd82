// A request to the sandbox → what it may read there.
import { anonymousGrant } from '../access/anonymous-grant.ts'
import { credentialOf, type PresentedCredential, provenBefore } from '../access/bearer.ts'
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

/**
 * Invented rows belong to nobody who could sign in, so a person's token opens all of them, as a key does. Responses are cached by
 * scopes alone: no two grants with the same scopes may see different rows.
 */
const overInventedRows = (grant: Grant): Grant =>
  grant.credential === 'access_token' ? { ...grant, kind: 'app', userId: undefined, masjids: '*' } : grant

/** If a header is sent, it must have a test key or a token of a development client: whoever sends another credential should find out. */
export const createSandboxCredentials = (access: Pick<Access, 'authenticate'>, sandboxUrl: string): Credentials => {
  const grantOf = async ({ text, possession }: PresentedCredential): Promise<Grant> =>
    overInventedRows(await access.authenticate(text, 'test', possession))
  return {
    recognise: authorization => (authorization === undefined ? visitorGrant : undefined),
    authenticate: async request => grantOf(credentialOf(request, sandboxUrl)),
    authenticateAgain: async authorization => grantOf(provenBefore(authorization)),
  }
}
