// Links between members and accounts that wait: seen, accepted and declined by the account, confirmed by the masjid.
import { type Actor, recordAudit } from '../audit/record-audit.ts'
import { actAs } from '../capabilities/act-as.ts'
import type { Database, Queryable } from '../db/database.ts'
import { sql } from '../db/sql.ts'

export interface WaitingLink {
  readonly memberId: string
  readonly masjid: string
  readonly linkedAt: Date
  readonly accepted: boolean
}

export const listWaitingLinks = (queryable: Queryable, userId: string): Promise<WaitingLink[]> =>
  queryable.query<WaitingLink>(sql`
    select member_id as "memberId", masjid.name as masjid, linked_at as "linkedAt", accepted_at is not null as accepted
    from public.member_links link
      join public.ua_members member on member.id = link.member_id and member.deleted_at is null
      join public.up_masjids masjid on masjid.id = member.masjid_id and masjid.deleted_at is null
    where link.user_id = ${userId} order by linked_at desc, member_id limit 50`)

interface Answered {
  readonly memberId: string
  readonly actor: Actor & { readonly userId: string }
}

type Outcome = 'linked' | 'waits' | 'none'

/** @returns `none` if there is no such link. */
export const acceptLink = (database: Database, { memberId, actor }: Answered): Promise<Outcome> =>
  database.transaction(async transaction => {
    await actAs(transaction, actor.userId)
    const row = await transaction.first<{ outcome: Outcome }>(sql`
      select public.accept_member_link(${memberId}) as outcome`)
    const outcome = row?.outcome ?? 'none'
    if (outcome !== 'none') await note(transaction, actor, { action: 'member_link.accepted', memberId })
    return outcome
  })

/** @returns whether there was such a link. */
export const declineLink = (database: Database, { memberId, actor }: Answered): Promise<boolean> =>
  database.transaction(async transaction => {
    await actAs(transaction, actor.userId)
    const row = await transaction.first<{ done: boolean }>(sql`select public.decline_member_link(${memberId}) as done`)
    if (row?.done === true) await note(transaction, actor, { action: 'member_link.declined', memberId })
    return row?.done === true
  })

export interface LinkOfMember {
  readonly userId: string
  readonly accepted: boolean
  /** Of the account, once it has accepted: a stranger's is not shown. */
  readonly email: string | null
  readonly mayConfirm: boolean
}

/** As `confirm_member_link` in migrations/data/0440_links_wait.sql decides it, apart from the capability. */
export const findLinkOfMember = (
  queryable: Queryable,
  memberId: string,
  userId: string,
): Promise<LinkOfMember | undefined> =>
  queryable.first<LinkOfMember>(sql`
    select link.user_id as "userId", accepted_at is not null as accepted,
      case when accepted_at is not null then account.email end as email,
      accepted_at is not null and linked_by is distinct from ${userId} and link.user_id <> ${userId} as "mayConfirm"
    from public.member_links link join minaret.users account on account.id = link.user_id
    where member_id = ${memberId}`)

interface Confirming extends Answered {
  readonly accountId: string
}

/** @returns whether the member has the account now. */
export const confirmLink = (database: Database, { memberId, accountId, actor }: Confirming): Promise<boolean> =>
  database.transaction(async transaction => {
    await actAs(transaction, actor.userId)
    const row = await transaction.first<{ done: boolean }>(sql`
      select public.confirm_member_link(${memberId}, ${accountId}) as done`)
    if (row?.done === true) await note(transaction, actor, { action: 'member_link.confirmed', memberId })
    return row?.done === true
  })

const note = (
  transaction: Queryable,
  actor: Answered['actor'],
  { action, memberId }: { readonly action: string; readonly memberId: string },
): Promise<void> => recordAudit(transaction, { action, actor, userId: actor.userId, detail: { member_id: memberId } })
