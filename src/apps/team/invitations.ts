// Invitations to the team of an app: sent by mail, accepted once by the account with that address, withdrawn.
import { emailKey } from '../../accounts/email-rules.ts'
import { inviteeRefused, isInvited } from '../../accounts/invitee.ts'
import type { Language } from '../../accounts/languages.ts'
import { linkExpired } from '../../accounts/mail-tokens.ts'
import { enqueueMail } from '../../accounts/outbox.ts'
import type { User } from '../../accounts/users.ts'
import { type Actor, recordAudit } from '../../audit/record-audit.ts'
import { randomToken, sha256 } from '../../base/secrets.ts'
import type { Database, Queryable } from '../../db/database.ts'
import { sql } from '../../db/sql.ts'
import { explainDatabaseFault, stateRefused } from '../faults.ts'
import { writeTeamInvitation } from './invitation-mail.ts'
import { asOwner, type TeamActor } from './members.ts'
import type { TeamRole } from './roles.ts'

export interface TeamInvitation {
  readonly id: string
  readonly email: string
  readonly role: TeamRole
  readonly invitedBy: string
  readonly expiresAt: Date
}

export const listTeamInvitations = (queryable: Queryable, appId: string): Promise<TeamInvitation[]> =>
  queryable.query<TeamInvitation>(sql`
    select invitation.id, invitation.email, role, inviter.name as "invitedBy", expires_at as "expiresAt"
    from minaret.app_invitations as invitation join minaret.users as inviter on inviter.id = invited_by
    where app_id = ${appId} and accepted_at is null and withdrawn_at is null and expires_at > now()
    order by invitation.created_at desc limit 200`)

interface ByOwner {
  readonly appId: string
  readonly actor: TeamActor
}

export interface TeamInviting extends ByOwner {
  readonly app: string
  /** The owner in whose name it is sent. */
  readonly inviter: { readonly id: string; readonly name: string }
  readonly email: string
  readonly role: TeamRole
  readonly language: Language
  readonly baseUrl: string
}

const withdrawOpen = (transaction: Queryable, appId: string, email: string): Promise<number> =>
  transaction.run(sql`
    update minaret.app_invitations set withdrawn_at = now()
    where app_id = ${appId} and lower(email) = ${email} and accepted_at is null and withdrawn_at is null`)

/** An earlier open invitation to the same address is replaced. What is answered does not depend on whether there is an account. */
export const inviteToTeam = (database: Database, input: TeamInviting): Promise<void> =>
  database
    .transaction(async transaction => {
      const { appId, actor, role, language, app, inviter } = input
      const to = emailKey(input.email)
      await asOwner(transaction, appId, actor)
      await withdrawOpen(transaction, appId, to)
      const token = randomToken()
      await transaction.run(sql`
        insert into minaret.app_invitations (app_id, email, role, token_hash, invited_by)
        values (${appId}, ${to}, ${role}, ${sha256(token)}, ${inviter.id})`)
      const link = `${input.baseUrl}/console/invitations/${token}`
      await enqueueMail(transaction, writeTeamInvitation({ to, language, app, inviter: inviter.name, link }))
      await recordAudit(transaction, { action: 'app.member_invited', actor, appId, detail: { role } })
    })
    .catch(explainDatabaseFault)

export const withdrawTeamInvitation = (database: Database, { appId, actor }: ByOwner, id: string): Promise<void> =>
  database.transaction(async transaction => {
    await asOwner(transaction, appId, actor)
    const withdrawn = await transaction.run(sql`
      update minaret.app_invitations set withdrawn_at = now()
      where id::text = ${id} and app_id = ${appId} and accepted_at is null and withdrawn_at is null`)
    if (withdrawn === 0) throw stateRefused('The invitation was accepted or withdrawn already.')
    await recordAudit(transaction, { action: 'app.member_uninvited', actor, appId })
  })

export interface OpenTeamInvitation {
  readonly appId: string
  readonly app: string
  readonly inviter: string
  readonly email: string
  readonly role: TeamRole
}

/** In the name of whoever invited: if they are no owner any more, the invitation is worth nothing. */
const isOpen = sql`accepted_at is null and withdrawn_at is null and expires_at > now()
  and minaret.is_app_owner(app_id, invited_by)`

/** Reads the link without using it, since mail scanners open links too. @throws {Fault} `link_expired` */
export const peekTeamInvitation = async (queryable: Queryable, token: string): Promise<OpenTeamInvitation> => {
  const row = await queryable.first<OpenTeamInvitation>(sql`
    select app_id as "appId", apps.name as app, inviter.name as inviter, invitation.email, role
    from minaret.app_invitations as invitation
      join minaret.apps on apps.id = app_id and apps.deleted_at is null
      join minaret.users as inviter on inviter.id = invited_by and inviter.disabled_at is null
    where token_hash = ${sha256(token)} and ${isOpen}`)
  if (row === undefined) throw linkExpired()
  return row
}

/** Consumed in one statement: of two at once, one is told that the link was used. Nobody is lowered by an invitation. */
export const acceptTeamInvitation = (
  database: Database,
  token: string,
  { user, actor }: { readonly user: User; readonly actor: Actor },
): Promise<string> =>
  database
    .transaction(async transaction => {
      const { appId } = await peekTeamInvitation(transaction, token)
      await transaction.run(sql`select from minaret.apps where id = ${appId} and deleted_at is null for update`)
      if (!isInvited(await peekTeamInvitation(transaction, token), user)) throw inviteeRefused()
      const taken = await transaction.first<{ role: TeamRole; invited_by: string }>(sql`
        update minaret.app_invitations set accepted_at = now(), accepted_by = ${user.id}
        where token_hash = ${sha256(token)} and ${isOpen} returning role, invited_by`)
      if (taken === undefined) throw linkExpired()
      const added = await transaction.run(sql`
        insert into minaret.app_members (app_id, user_id, role, added_by)
        values (${appId}, ${user.id}, ${taken.role}, ${taken.invited_by})
        on conflict (app_id, user_id) do update set role = excluded.role
        where app_members.role = 'viewer' or (app_members.role = 'developer' and excluded.role = 'owner')`)
      const detail = { role: taken.role, invited_by: taken.invited_by }
      if (added > 0) await recordAudit(transaction, { action: 'app.member_joined', actor, appId, detail })
      return appId
    })
    .catch(explainDatabaseFault)
