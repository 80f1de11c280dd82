// The team of an app: its members, another role for one of them, and the end of a membership.
import { type Actor, recordAudit } from '../../audit/record-audit.ts'
import type { Database, Queryable } from '../../db/database.ts'
import { sql } from '../../db/sql.ts'
import { explainDatabaseFault, stateRefused } from '../faults.ts'
import type { TeamRole } from './roles.ts'

export interface Member {
  readonly userId: string
  readonly name: string
  readonly email: string
  readonly role: TeamRole
  readonly addedAt: Date
  /** The owner who is named on the consent page. */
  readonly standsForIt: boolean
}

export const listMembers = (queryable: Queryable, appId: string): Promise<Member[]> =>
  queryable.query<Member>(sql`
    select member.user_id as "userId", users.name, users.email, member.role, member.added_at as "addedAt",
      apps.owner_id = member.user_id as "standsForIt"
    from minaret.app_members as member join minaret.users on users.id = member.user_id
      join minaret.apps on apps.id = member.app_id
    where member.app_id = ${appId} order by member.added_at, users.name limit 500`)

const findRole = async (queryable: Queryable, appId: string, userId: string): Promise<TeamRole | undefined> =>
  (
    await queryable.first<{ role: TeamRole }>(sql`
      select role from minaret.app_members where app_id = ${appId} and user_id = ${userId}`)
  )?.role

/** An owner of the app, or the operator at the command line. */
export type TeamActor = (Actor & { readonly userId: string }) | (Actor & { readonly kind: 'command' })

export interface TeamChange {
  readonly appId: string
  readonly userId: string
  readonly actor: TeamActor
}

/**
 * Locks the app first: of two owners who act on each other at once, the second finds that it is not an owner any more.
 * @throws {Fault} `state_refused`
 */
export const asOwner = async (transaction: Queryable, appId: string, actor: TeamActor): Promise<void> => {
  await transaction.run(sql`select from minaret.apps where id = ${appId} and deleted_at is null for update`)
  if (actor.kind === 'command') return
  if ((await findRole(transaction, appId, String(actor.userId))) !== 'owner')
    throw stateRefused('Only an owner of the app changes its team.')
}

const gone = () => stateRefused('They are not on the team any more.')

export const changeRole = (database: Database, { appId, userId, actor }: TeamChange, role: TeamRole): Promise<void> =>
  database
    .transaction(async transaction => {
      await asOwner(transaction, appId, actor)
      const changed = await transaction.run(sql`
        update minaret.app_members set role = ${role} where app_id = ${appId} and user_id = ${userId}`)
      if (changed === 0) throw gone()
      await recordAudit(transaction, { action: 'app.member_changed', actor, appId, userId, detail: { role } })
    })
    .catch(explainDatabaseFault)

const remove = async (transaction: Queryable, { appId, userId, actor }: TeamChange, action: string): Promise<void> => {
  const removed = await transaction.first<{ role: TeamRole }>(sql`
    delete from minaret.app_members where app_id = ${appId} and user_id = ${userId} returning role`)
  if (removed === undefined) throw gone()
  await recordAudit(transaction, { action, actor, appId, userId, detail: { role: removed.role } })
}

/** The database keeps the last owner, and ends what the development client holds for whoever leaves. */
export const removeMember = (database: Database, change: TeamChange): Promise<void> =>
  database
    .transaction(async transaction => {
      await asOwner(transaction, change.appId, change.actor)
      await remove(transaction, change, 'app.member_removed')
    })
    .catch(explainDatabaseFault)

export const leaveTeam = (
  database: Database,
  { appId, actor }: { readonly appId: string; readonly actor: Actor & { readonly userId: string } },
): Promise<void> =>
  database
    .transaction(transaction => remove(transaction, { appId, userId: actor.userId, actor }, 'app.member_left'))
    .catch(explainDatabaseFault)
