// A person and an app → the scopes and claims the person has already agreed to.
import type { Claim } from '../../access/claims.ts'
import type { Scope } from '../../access/scopes.ts'
import type { Queryable } from '../../db/database.ts'
import { sql } from '../../db/sql.ts'

export interface RememberedConsent {
  readonly scopes: readonly Scope[]
  readonly claims: readonly Claim[]
}

/** For someone signed out, or who has agreed to nothing yet. */
export const noConsent: RememberedConsent = { scopes: [], claims: [] }

export const findConsent = async (database: Queryable, userId: string, appId: string): Promise<RememberedConsent> =>
  (await database.first<RememberedConsent>(sql`
    select scopes, claims from minaret.consents
    where user_id = ${userId} and app_id = ${appId} and withdrawn_at is null`)) ?? noConsent
