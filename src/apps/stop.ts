// Suspending, reinstating and deleting an app. Its tokens and keys end in the same statement.
import { type Actor, recordAudit } from '../audit/record-audit.ts'
import type { Database } from '../db/database.ts'
import { sql } from '../db/sql.ts'
import { explainDatabaseFault, registrationRefused, stateRefused } from './faults.ts'
import { mailOwner } from './mail-owner.ts'

export interface StopInput {
  readonly appId: string
  readonly actor: Actor
  readonly reason: string
  /** For the link in the owner's mail; without it, no mail is sent. */
  readonly baseUrl?: string | undefined
}

/** A reviewer takes over the suspension of an owner, which no owner can lift any more then. */
export const suspendApp = (database: Database, { appId, actor, reason, baseUrl }: StopInput): Promise<void> =>
  database
    .transaction(async transaction => {
      if (reason.trim() === '') throw registrationRefused('Give a reason.')
      const moved = await transaction.run(sql`
        update minaret.apps set state = 'suspended', reviewer_words = ${reason.trim()},
          moved_by = ${actor.userId}, moved_because = ${reason.trim()}
        where id = ${appId} and deleted_at is null and (state = 'approved'
          or state = 'suspended' and minaret.is_app_owner(id, moved_by)
            and not minaret.is_app_owner(id, ${actor.userId ?? null}::uuid))`)
      if (moved === 0) throw stateRefused('Only an approved app can be suspended.')
      await recordAudit(transaction, { action: 'app.suspended', actor, appId, detail: { reason: reason.trim() } })
      await mailOwner(transaction, { appId, decision: 'suspended', words: reason.trim(), baseUrl })
    })
    .catch(explainDatabaseFault)

export interface ReinstateInput {
  readonly appId: string
  readonly actor: Actor
  readonly words?: string | undefined
  readonly baseUrl?: string | undefined
}

/** An owner lifts only their own suspension. Earlier keys and tokens stay revoked; the client_id and the secrets work again. */
export const reinstateApp = (database: Database, { appId, actor, words, baseUrl }: ReinstateInput): Promise<void> =>
  database
    .transaction(async transaction => {
      const moved = await transaction.run(sql`
        update minaret.apps set state = 'approved', reviewer_words = ${words},
          moved_by = ${actor.userId}, moved_because = ${words}
        where id = ${appId} and state = 'suspended' and deleted_at is null`)
      if (moved === 0) throw stateRefused('Only a suspended app can be reinstated.')
      await recordAudit(transaction, { action: 'app.reinstated', actor, appId, detail: { words } })
      await mailOwner(transaction, { appId, decision: 'reinstated', words, baseUrl })
    })
    .catch(explainDatabaseFault)

export const deleteApp = (database: Database, { appId, actor }: { appId: string; actor: Actor }): Promise<void> =>
  database
    .transaction(async transaction => {
      const gone = await transaction.run(sql`
        update minaret.apps set deleted_at = now(), moved_by = ${actor.userId}, moved_because = null
        where id = ${appId} and deleted_at is null`)
      if (gone === 0) throw stateRefused('The app was deleted already.')
      await recordAudit(transaction, { action: 'app.deleted', actor, appId })
    })
    .catch(explainDatabaseFault)
