// Invitations to look after a masjid: sent by mail, accepted once by the account with that address, withdrawn, sent again.
import { emailKey } from '../accounts/email-rules.ts'
import { inviteeRefused, isInvited } from '../accounts/invitee.ts'
import { linkExpired } from '../accounts/mail-tokens.ts'
import { enqueueMail } from '../accounts/outbox.ts'
import type { User } from '../accounts/users.ts'
import { type Actor, recordAudit } from '../audit/record-audit.ts'
import type { Capability } from '../base/capability-names.ts'
import { Fault } from '../base/fault.ts'
import { randomToken, sha256 } from '../base/secrets.ts'
import type { Database, Queryable } from '../db/database.ts'
import { sql } from '../db/sql.ts'
import { refuseUnlessManaging } from './act-as.ts'
import { ensureMember } from './ensure-member.ts'
import { type InvitationMail, writeInvitation } from './invitation-mail.ts'

export interface Invitation {
  readonly id: string
  readonly email: string
  readonly capabilities: readonly Capability[]
  readonly invitedBy: string
  readonly sentAt: Date
  readonly expiresAt: Date
  readonly sent: number
}

export const listInvitations = (queryable: Queryable, masjidId: string): Promise<Invitation[]> =>
  queryable.query<Invitation>(sql`
    select invitation.id, invitation.email, capabilities, inviter.name as "invitedBy", sent_at as "sentAt",
      expires_at as "expiresAt", sent
    from minaret.masjid_invitations invitation join minaret.users inviter on inviter.id = invited_by
    where masjid_id = ${masjidId} and accepted_at is null and withdrawn_at is null order by sent_at desc limit 200`)

export interface Inviting {
  readonly masjid: { readonly id: string; readonly name: string }
  readonly email: string
  readonly capabilities: readonly Capability[]
  readonly user: Pick<User, 'id' | 'name'>
  readonly actor: Actor
  readonly language: InvitationMail['language']
  readonly baseUrl: string
}

const mail = async (
  transaction: Queryable,
  to: string,
  token: string,
  input: Omit<Inviting, 'email'>,
): Promise<void> => {
  const link = `${input.baseUrl}/invitations/${token}`
  const { language, masjid, user } = input
  await enqueueMail(transaction, writeInvitation({ to, language, masjid: masjid.name, inviter: user.name, link }))
}

/** An earlier open invitation to the same address is replaced. What is answered does not depend on whether there is an account. */
export const invite = (database: Database, input: Inviting): Promise<void> =>
  database.transaction(async transaction => {
    const { masjid, capabilities, user, actor } = input
    const email = emailKey(input.email)
    await refuseUnlessManaging(transaction, masjid.id, user.id)
    await transaction.run(sql`
      update minaret.masjid_invitations set withdrawn_at = now()
      where masjid_id = ${masjid.id} and lower(email) = ${email} and accepted_at is null and withdrawn_at is null`)
    const token = randomToken()
    await transaction.run(sql`
      insert into minaret.masjid_invitations (masjid_id, email, capabilities, token_hash, invited_by)
      values (${masjid.id}, ${email}, ${capabilities}::text[], ${sha256(token)}, ${user.id})`)
    await mail(transaction, email, token, input)
    await recordAudit(transaction, { action: 'invitation.sent', actor, detail: { masjid_id: masjid.id, capabilities } })
  })

type Again = Omit<Inviting, 'email' | 'capabilities'> & { readonly id: string }

/** A new link; the earlier one no longer works. @returns whether there was one to send, at most five times. */
export const inviteAgain = (database: Database, { id, ...input }: Again): Promise<boolean> =>
  database.transaction(async transaction => {
    await refuseUnlessManaging(transaction, input.masjid.id, input.user.id)
    const token = randomToken()
    const row = await transaction.first<{ email: string; capabilities: Capability[] }>(sql`
      update minaret.masjid_invitations
      set token_hash = ${sha256(token)}, sent = sent + 1, sent_at = now(), expires_at = now() + interval '7 days'
      where id = ${id} and masjid_id = ${input.masjid.id} and accepted_at is null and withdrawn_at is null and sent < 5
      returning email, capabilities`)
    if (row === undefined) return false
    await mail(transaction, row.email, token, { ...input, capabilities: row.capabilities })
    return true
  })

export interface Withdrawal {
  readonly id: string
  readonly masjidId: string
  readonly actor: Actor & { readonly userId: string }
}

export const withdrawInvitation = (database: Database, { id, masjidId, actor }: Withdrawal): Promise<boolean> =>
  database.transaction(async transaction => {
    await refuseUnlessManaging(transaction, masjidId, actor.userId)
    const withdrawn = await transaction.run(sql`
      update minaret.masjid_invitations set withdrawn_at = now()
      where id = ${id} and masjid_id = ${masjidId} and accepted_at is null and withdrawn_at is null`)
    if (withdrawn > 0)
      await recordAudit(transaction, { action: 'invitation.withdrawn', actor, detail: { masjid_id: masjidId } })
    return withdrawn > 0
  })

export interface OpenInvitation {
  readonly masjid: string
  readonly slug: string
  readonly inviter: string
  readonly email: string
  readonly capabilities: readonly Capability[]
}

/** Reads the link without using it, since mail scanners open links too. @throws {Fault} `link_expired` */
export const peekInvitation = async (queryable: Queryable, token: string): Promise<OpenInvitation> => {
  const row = await queryable.first<OpenInvitation>(sql`
    select masjid.name as masjid, masjid.slug, inviter.name as inviter, invitation.email, capabilities
    from minaret.masjid_invitations invitation
      join public.up_masjids masjid on masjid.id = masjid_id and masjid.deleted_at is null
      join minaret.users inviter on inviter.id = invited_by
    where token_hash = ${sha256(token)} and accepted_at is null and withdrawn_at is null and expires_at > now()`)
  if (row === undefined) throw linkExpired()
  return row
}

interface Accepted {
  readonly masjid_id: string
  readonly invited_by: string
  readonly capabilities: readonly Capability[]
}

/** In the name of whoever invited: if they may no longer decide about capabilities, nothing is granted. */
const grantAll = async (transaction: Queryable, accepted: Accepted, user: User): Promise<void> => {
  await refuseUnlessManaging(transaction, accepted.masjid_id, accepted.invited_by)
  await ensureMember(transaction, { masjidId: accepted.masjid_id, user, accepted: true })
  for (const capability of accepted.capabilities)
    await transaction.query(sql`
      select public.ua_grant_capability(${accepted.masjid_id}, ${user.id}, ${capability}::public.ua_capability)`)
}

const isMemberRule = (error: unknown): boolean =>
  error instanceof Error && 'constraint' in error && error.constraint === 'ua_capabilities_member_check'

/** Somebody whom the masjid dismissed, or has not admitted yet, is given nothing. @throws {Fault} `registration_refused` */
const refuseNonMember = (error: unknown): never => {
  if (!isMemberRule(error)) throw error
  throw new Fault({
    code: 'registration_refused',
    status: 422,
    message:
      'The masjid lists this person as a member who is not active. Somebody who looks after people can change that.',
  })
}

/** Consumed in one statement: of two at once, one is told that the link was used. @throws {Fault} `link_expired`, `forbidden` */
export const acceptInvitation = (database: Database, token: string, user: User, actor: Actor): Promise<void> =>
  database
    .transaction(async transaction => {
      if (!isInvited(await peekInvitation(transaction, token), user)) throw inviteeRefused()
      const accepted = await transaction.first<Accepted>(sql`
      update minaret.masjid_invitations set accepted_at = now(), accepted_by = ${user.id}
      where token_hash = ${sha256(token)} and accepted_at is null and withdrawn_at is null and expires_at > now()
      returning masjid_id, invited_by, capabilities`)
      if (accepted === undefined) throw linkExpired()
      await grantAll(transaction, accepted, user)
      const detail = {
        masjid_id: accepted.masjid_id,
        capabilities: accepted.capabilities,
        invited_by: accepted.invited_by,
      }
      await recordAudit(transaction, { action: 'invitation.accepted', actor, detail })
    })
    .catch(refuseNonMember)
