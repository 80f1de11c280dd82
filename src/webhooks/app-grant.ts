// An app → the grant with which webhooks are planned and sent; undefined if it may be told nothing now.
import type { KeyEnvironment } from '../access/api-key-format.ts'
import { type AppReachRow, appReachColumns, toAppReach } from '../access/app-reach.ts'
import type { Grant } from '../access/grant.ts'
import { dataScopes, isWriteScope, type Scope, scopeKeyOf } from '../access/scopes.ts'
import type { Queryable } from '../db/database.ts'
import { sql } from '../db/sql.ts'

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

/** As the database has it at this moment. */
export const findAppGrant = async (
  queryable: Queryable,
  appId: string,
  environment: KeyEnvironment,
): Promise<Grant | undefined> => {
  const row = await queryable.first<AppReachRow>(sql`
    select ${appReachColumns} from minaret.apps a where a.id = ${appId} and minaret.may_be_told(a, ${environment})`)
  return row === undefined ? undefined : grantOf(row, environment)
}
