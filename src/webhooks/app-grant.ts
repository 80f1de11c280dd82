// An app → the grant with which webhooks are planned and sent.
import type { KeyEnvironment } from '../access/api-key-format.ts'
import { type AppReachRow, toAppReach } from '../access/app-reach.ts'
import type { Grant } from '../access/grant.ts'
import { dataScopes, isWriteScope, type Scope, scopeKeyOf } from '../access/scopes.ts'

/** Reading only: a message never changes anything. */
const readable = (scopes: Iterable<Scope>): Set<Scope> =>
  new Set([...scopes].filter(scope => dataScopes.includes(scope) && !isWriteScope(scope)))

/** As of a key: a test endpoint reaches all of the invented data, and is no masjid's own. */
export const grantOf = (row: AppReachRow, environment: KeyEnvironment): Grant => {
  const reach = toAppReach(row)
  const scopes = readable(environment === 'test' ? dataScopes : reach.scopes)
  return {
    kind: 'app',
    credential: 'none',
    environment,
    appId: row.app_id,
    clientId: row.client_id ?? undefined,
    userId: undefined,
    keyId: undefined,
    tokenId: undefined,
    grantId: undefined,
    scopes,
    scopeKey: scopeKeyOf(scopes),
    masjids: environment === 'test' ? '*' : reach.masjids,
    ownMasjids: environment === 'test' ? [] : reach.ownMasjids,
    expiresAt: undefined,
  }
}
