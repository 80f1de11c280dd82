// An app → another owner: somebody leaves, and the app stays with those who use it.
import type { User } from '../accounts/users.ts'
import { type Actor, recordAudit } from '../audit/record-audit.ts'
import type { Database } from '../db/database.ts'
import { sql } from '../db/sql.ts'
import { explainDatabaseFault, registrationRefused, stateRefused } from './faults.ts'
import { mailOwner } from './mail-owner.ts'

export interface HandOverInput {
  readonly appId: string
  readonly to: User
  readonly actor: Actor
  /** For the link in the new owner's mail; without it, no mail is sent. */
  readonly baseUrl?: string | undefined
}

/**
 * The former owner leaves the team; others stay. What the app may do stays as it was decided; its secrets and keys
 * work on, so that nobody's app stops.
 */
export const handOverApp = (database: Database, { appId, to, actor, baseUrl }: HandOverInput): Promise<void> =>
  database
    .transaction(async transaction => {
      const inForce = await transaction.first(sql`
        select id from minaret.users where id = ${to.id} and disabled_at is null and email_verified_at is not null for key share`)
      if (inForce === undefined)
        throw registrationRefused('The new owner needs an account that is confirmed and in force.')
      const row = await transaction.first<{ former: string }>(sql`
        update minaret.apps as app set owner_id = ${to.id}
        from (select id, owner_id from minaret.apps where id = ${appId} and deleted_at is null for update) as before
        where app.id = before.id and before.owner_id is not null and before.owner_id <> ${to.id}
        returning before.owner_id as former`)
      if (row === undefined) throw stateRefused('The app was deleted, is part of the service, or is theirs already.')
      await transaction.run(sql`delete from minaret.app_members where app_id = ${appId} and user_id = ${row.former}`)
      const detail = { former_owner_id: row.former, owner_id: to.id }
      await recordAudit(transaction, { action: 'app.handed_over', actor, appId, userId: to.id, detail })
      await mailOwner(transaction, { appId, decision: 'handedOver', baseUrl })
    })
    .catch(explainDatabaseFault)
