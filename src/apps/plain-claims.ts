// What userinfo may show an app without `openid`: given or withheld by a reviewer, also after the approval.

import { allClaims, type Claim, isClaim, sortClaims } from '../access/claims.ts'
import { type Actor, recordAudit } from '../audit/record-audit.ts'
import type { Database } from '../db/database.ts'
import { sql } from '../db/sql.ts'
import { explainDatabaseFault, registrationRefused, stateRefused } from './faults.ts'

/** Claims as people type them, separated by spaces, or `none`. */
export const readClaims = (text: string): Claim[] => {
  const words = text.split(/\s+/).filter(word => word !== '')
  if (words.length === 1 && words[0] === 'none') return []
  const unknown = words.find(word => !isClaim(word))
  if (unknown !== undefined || words.length === 0)
    throw registrationRefused(`The claims can be: ${allClaims.join(', ')}; or none.`)
  return sortClaims(words.filter(isClaim))
}

export interface PlainClaimsInput {
  readonly appId: string
  readonly actor: Actor
  readonly claims: readonly Claim[]
}

/**
 * Nobody decides about their own app, as the database makes sure. What people agreed to before is not shown again
 * unless it is given here.
 */
export const setPlainClaims = (database: Database, { appId, actor, claims }: PlainClaimsInput): Promise<void> =>
  database
    .transaction(async transaction => {
      const changed = await transaction.run(sql`
        update minaret.apps set plain_claims = ${claims}, claims_by = ${actor.userId}
        where id = ${appId} and state in ('approved', 'suspended') and deleted_at is null`)
      if (changed === 0) throw stateRefused('Only an app that was approved can be changed here.')
      await recordAudit(transaction, { action: 'app.claims_changed', actor, appId, detail: { plain_claims: claims } })
    })
    .catch(explainDatabaseFault)
