// A person's wish → an account that is disabled at once and erased after some days, unless the link in the mail calls it off.
import { type AccountServices, sendLetter } from '../../accounts/account-services.ts'
import { linkExpired } from '../../accounts/mail-tokens.ts'
import type { User } from '../../accounts/users.ts'
import { type Actor, recordAudit } from '../../audit/record-audit.ts'
import { Fault } from '../../base/fault.ts'
import { randomToken, sha256 } from '../../base/secrets.ts'
import type { Database, Queryable } from '../../db/database.ts'
import { sql } from '../../db/sql.ts'
import { findBlockers, isBlocked } from './blockers.ts'

const blocked = (): Fault =>
  new Fault({
    code: 'erasure_blocked',
    status: 409,
    message: 'Delete the apps of this account, and let somebody else manage its masjids, before it is erased.',
  })

const notFound = (): Fault => new Fault({ code: 'not_found', status: 404, message: 'There is no such account.' })

/** Two who ask at once: the second finds the account disabled. */
const lockAccount = async (transaction: Queryable, userId: string): Promise<void> => {
  const found = await transaction.first(sql`
    select id from minaret.users where id = ${userId} and erased_at is null for no key update`)
  if (found === undefined) throw notFound()
}

/** An app with another owner goes on with them: it does not pause with this account. */
const passAppsOn = (transaction: Queryable, userId: string): Promise<number> =>
  transaction.run(sql`
    update minaret.apps set owner_id = heir.user_id
    from (select distinct on (other.app_id) other.app_id, other.user_id
      from minaret.app_members other join minaret.users account on account.id = other.user_id and account.disabled_at is null
      where other.role = 'owner' and other.user_id <> ${userId} order by other.app_id, other.added_at) as heir
    where apps.id = heir.app_id and apps.owner_id = ${userId} and apps.deleted_at is null and apps.development_of is null`)

/** Changes of address that may have been somebody else's, and those that somebody else may have undone. */
const doubtful = (userId: string) => sql`
  minaret.email_changes where user_id = ${userId} and confirmed_at is not null
    and coalesce(undone_at + interval '7 days', undo_expires_at) > now()`

/** The wish may be that of whoever had the account meanwhile: nobody is erased before the other one had a week to come back. */
const dueAt = (userId: string, { days, by }: { days: number; by: string }) => sql`
  greatest(now() + make_interval(days => ${days}), (
    select max(coalesce(undone_at + interval '7 days', undo_expires_at)) from ${doubtful(userId)} and ${by} = 'themselves'))`

/** Triggers end sessions, grants and tokens with the account. */
const disable = async (transaction: Queryable, userId: string, input: { days: number; by: string; hash: Buffer }) => {
  const row = await transaction.first<{ due_at: Date }>(sql`
    insert into minaret.erasures (user_id, asked_by, due_at, token_hash, stays_disabled)
    select id, ${input.by}, ${dueAt(userId, input)}, ${input.hash}, disabled_at is not null
    from minaret.users where id = ${userId}
    on conflict (user_id) do update set due_at = least(erasures.due_at, excluded.due_at),
      token_hash = excluded.token_hash
    returning due_at`)
  await passAppsOn(transaction, userId)
  await transaction.run(sql`update minaret.users set disabled_at = now() where id = ${userId} and disabled_at is null`)
  return row?.due_at ?? new Date()
}

/** Besides the account's own: whoever reads the mail there can only keep the account from being erased. */
const otherAddresses = async (transaction: Queryable, { id, email }: User): Promise<readonly string[]> => {
  const rows = await transaction.query<{ address: string }>(sql`
    select distinct address from (select unnest(array[old_email, new_email]) as address from ${doubtful(id)}) known
    where lower(address) <> lower(${email})`)
  return rows.map(({ address }) => address)
}

export interface AskErasure {
  readonly user: User
  readonly actor: Actor
  /** Until it happens; by default as configured. */
  readonly days?: number
}

/** @returns when it will happen. @throws {Fault} `erasure_blocked` */
export const askForErasure = (
  services: Pick<AccountServices, 'database' | 'baseUrl' | 'erasureDays'>,
  { user, actor, days = services.erasureDays }: AskErasure,
): Promise<Date> =>
  services.database.transaction(async transaction => {
    await lockAccount(transaction, user.id)
    if (isBlocked(await findBlockers(transaction, user.id))) throw blocked()
    const token = randomToken(32)
    const by = actor.kind === 'command' ? 'command' : 'themselves'
    const due = await disable(transaction, user.id, { days, by, hash: sha256(token) })
    const path = `/keep-account?${new URLSearchParams({ token })}`
    const date = due.toISOString().slice(0, 10)
    const addresses = due > new Date() ? [user.email, ...(await otherAddresses(transaction, user))] : []
    for (const email of addresses)
      await sendLetter(transaction, services, 'erasureAsked', { user: { ...user, email }, path, date })
    await recordAudit(transaction, { action: 'account.erasure_asked', actor, userId: user.id })
    return due
  })

export interface WaitingErasure {
  readonly userId: string
  readonly email: string
  readonly dueAt: Date
  readonly staysDisabled: boolean
}

const waiting = (token: string) => sql`
  select account.id as "userId", account.email, erasure.due_at as "dueAt", erasure.stays_disabled as "staysDisabled"
  from minaret.erasures erasure join minaret.users account on account.id = erasure.user_id
  where erasure.token_hash = ${sha256(token)} and erasure.started_at is null`

/** Reads the link without using it, because mail scanners open links too. @throws {Fault} `link_expired` */
export const peekErasure = async (queryable: Queryable, token: string): Promise<WaitingErasure> => {
  const found = await queryable.first<WaitingErasure>(waiting(token))
  if (found === undefined) throw linkExpired()
  return found
}

/** A trigger removes the erasure when the account is enabled. @throws {Fault} `link_expired` */
export const callOffErasure = (database: Database, token: string, address: string): Promise<void> =>
  database.transaction(async transaction => {
    const found = await transaction.first<WaitingErasure>(sql`${waiting(token)} for update of erasure, account`)
    if (found === undefined) throw linkExpired()
    const { userId, staysDisabled } = found
    await transaction.run(
      staysDisabled
        ? sql`delete from minaret.erasures where user_id = ${userId}`
        : sql`update minaret.users set disabled_at = null, updated_at = now() where id = ${userId}`,
    )
    const actor: Actor = { kind: 'user', userId, address }
    await recordAudit(transaction, { action: 'account.erasure_called_off', actor, userId })
  })
