// Whether an app gets tokens only with a proof of a key (DPoP, RFC 9449). Its team decides: it only makes tokens worth less to others.
import { type Actor, recordAudit } from '../audit/record-audit.ts'
import type { Database } from '../db/database.ts'
import { sql } from '../db/sql.ts'

export interface BoundTokensChange {
  readonly appId: string
  readonly required: boolean
  readonly actor: Actor
}

/** In force for tokens that are issued from now on. */
export const setBoundTokens = (database: Database, { appId, required, actor }: BoundTokensChange): Promise<void> =>
  database.transaction(async transaction => {
    const changed = await transaction.run(sql`
      update minaret.apps set dpop_bound = ${required}
      where id = ${appId} and deleted_at is null and dpop_bound <> ${required}`)
    if (changed > 0)
      await recordAudit(transaction, { action: 'app.bound_tokens_changed', actor, appId, detail: { required } })
  })
