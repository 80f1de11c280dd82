// What people may write at a masjid, set up by an operator: granted, withdrawn, listed, through the database's own functions.
import { findUserByEmail, type User } from '../accounts/users.ts'
import { registrationRefused } from '../apps/faults.ts'
import { type Actor, recordAudit } from '../audit/record-audit.ts'
import type { Database, Queryable } from '../db/database.ts'
import { hasIdOrSlug } from '../db/id-or-slug.ts'
import { sql } from '../db/sql.ts'
import { actForAll } from './act-as.ts'
import { ensureMember } from './ensure-member.ts'

export interface Masjid {
  readonly id: string
  readonly slug: string
  readonly name: string
}

export interface HeldCapability {
  readonly masjidId: string
  readonly masjid: string
  readonly userId: string
  readonly email: string
  readonly name: string
  readonly capability: string
  /** A role cannot be withdrawn here: it is changed with the membership. */
  readonly through: 'grant' | 'role'
  readonly grantedAt: Date | null
}

export const findMasjid = async (queryable: Queryable, named: string): Promise<Masjid> => {
  const masjid = await queryable.first<Masjid>(sql`
    select id, slug, name from public.up_masjids where ${hasIdOrSlug(named)} and deleted_at is null`)
  if (masjid === undefined) throw registrationRefused(`There is no masjid with the id or slug "${named}".`)
  return masjid
}

export const findAccount = async (queryable: Queryable, email: string): Promise<User> => {
  const user = await findUserByEmail(queryable, email)
  if (user === undefined)
    throw registrationRefused(
      `There is no account with the email address ${email}. Create it with: minaret user create`,
    )
  return user
}

/** The names as the database has them; `all` is every one. */
export const readCapabilities = async (queryable: Queryable, words: readonly string[]): Promise<string[]> => {
  const row = await queryable.first<{ known: string[] }>(sql`
    select enum_range(null::public.ua_capability)::text[] as known`)
  const known = row?.known ?? []
  if (words.length === 1 && words[0] === 'all') return known
  const unknown = words.find(word => !known.includes(word))
  if (unknown !== undefined || words.length === 0)
    throw registrationRefused(`The capabilities are: ${known.join(', ')}; or all.`)
  return known.filter(word => words.includes(word))
}

/** Rules about capabilities say in words what is wrong: see the functions in migrations/data. */
const explain = (error: unknown): never => {
  if (error instanceof Error && 'table' in error && error.table === 'ua_capabilities')
    throw registrationRefused(error.message)
  throw error
}

export interface CapabilityChange {
  readonly actor: Actor
  readonly masjid: Masjid
  readonly user: User
  readonly capabilities: readonly string[]
}

export const grantCapabilities = (
  database: Database,
  { actor, masjid, user, capabilities, asMember }: CapabilityChange & { readonly asMember: boolean },
): Promise<void> =>
  database
    .transaction(async transaction => {
      await actForAll(transaction)
      if (asMember) await ensureMember(transaction, { masjidId: masjid.id, user, accepted: false })
      for (const capability of capabilities)
        await transaction.query(sql`
          select public.ua_grant_capability(${masjid.id}, ${user.id}, ${capability}::public.ua_capability)`)
      const detail = { masjid_id: masjid.id, capabilities }
      await recordAudit(transaction, { action: 'capability.granted', actor, userId: user.id, detail })
    })
    .catch(explain)

/** @returns those that the person held. */
export const withdrawCapabilities = (
  database: Database,
  { actor, masjid, user, capabilities }: CapabilityChange,
): Promise<string[]> =>
  database
    .transaction(async transaction => {
      await actForAll(transaction)
      const withdrawn: string[] = []
      for (const capability of capabilities) {
        const row = await transaction.first<{ id: string | null }>(sql`
          select (public.ua_withdraw_capability(${masjid.id}, ${user.id}, ${capability}::public.ua_capability)).id`)
        if (row !== undefined && row.id !== null) withdrawn.push(capability)
      }
      const detail = { masjid_id: masjid.id, capabilities: withdrawn }
      if (withdrawn.length > 0)
        await recordAudit(transaction, { action: 'capability.withdrawn', actor, userId: user.id, detail })
      return withdrawn
    })
    .catch(explain)

/** What is in force, by grant or by role: of a masjid, of a person, or of all. */
export const listCapabilities = (
  queryable: Queryable,
  { masjidId, userId }: { readonly masjidId: string | undefined; readonly userId: string | undefined },
): Promise<HeldCapability[]> =>
  queryable.query<HeldCapability>(sql`
    select masjid.id as "masjidId", masjid.name as masjid, account.id as "userId", account.email, account.name,
      held.capability, held.through, held.granted_at as "grantedAt"
    from public.ua_members member
      join public.up_masjids masjid on masjid.id = member.masjid_id
      join minaret.users account on account.id = member.user_id and account.disabled_at is null
      cross join lateral (
        select unnest(public.role_capabilities(member.role))::text as capability, 'role' as through, null::timestamptz as granted_at
        union all
        select held.capability::text, 'grant', held.granted_at from public.ua_capabilities held
        where held.masjid_id = member.masjid_id and held.user_id = member.user_id and held.withdrawn_at is null
      ) held
    where member.status = 'active' and member.deleted_at is null
      and member.masjid_id = coalesce(${masjidId}::uuid, member.masjid_id)
      and member.user_id = coalesce(${userId}::uuid, member.user_id)
    order by masjid.name, masjid.id, account.email, held.capability, held.through limit 10000`)
