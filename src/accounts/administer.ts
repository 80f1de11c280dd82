// What administrators do with accounts: find them, grant and revoke rights, sign them out, disable them. All of it is audited.
import { type Actor, recordAudit } from '../audit/record-audit.ts'
import { Fault } from '../base/fault.ts'
import { contains } from '../base/like.ts'
import type { Database, Queryable } from '../db/database.ts'
import { sql } from '../db/sql.ts'
import { endSessions } from './sessions.ts'
import { toUser, type User, type UserRow, userColumns } from './users.ts'

export interface FoundUsers {
  readonly users: readonly User[]
  readonly total: number
}

export const USERS_PER_PAGE = 25

/** Newest first. */
export const searchUsers = async (queryable: Queryable, search: string, page: number): Promise<FoundUsers> => {
  const pattern = contains(search)
  const rows = await queryable.query<UserRow & { total: string }>(sql`
    select ${userColumns}, count(*) over () as total from minaret.users
    where ${search} = '' or name ilike ${pattern} or email ilike ${pattern}
    order by created_at desc, id limit ${USERS_PER_PAGE} offset ${(page - 1) * USERS_PER_PAGE}`)
  return { users: rows.map(toUser), total: Number(rows[0]?.total ?? 0) }
}

export interface AboutUser {
  readonly userId: string
  readonly actor: Actor
}

/** Nobody removes their own rights by mistake, and a stolen session cannot protect itself from other administrators. */
export const refuseOneself = ({ userId, actor }: AboutUser): void => {
  if (actor.userId === userId)
    throw new Fault({ code: 'forbidden', status: 403, message: 'Another administrator must change your own account.' })
}

const refuseErased = async (transaction: Queryable, userId: string): Promise<void> => {
  const erased = await transaction.first(sql`
    select from minaret.users account left join minaret.erasures erasure on erasure.user_id = account.id
    where account.id = ${userId} and coalesce(account.erased_at, erasure.started_at) is not null`)
  if (erased !== undefined) throw new Fault({ code: 'forbidden', status: 403, message: 'The account was erased.' })
}

export type Right = 'reviewer' | 'admin'

export const setRight = (
  database: Database,
  input: AboutUser & { readonly right: Right; readonly given: boolean },
): Promise<void> =>
  database.transaction(async transaction => {
    refuseOneself(input)
    const { userId, actor, right, given } = input
    await refuseErased(transaction, userId)
    const column = right === 'reviewer' ? sql`is_reviewer` : sql`is_admin`
    await transaction.run(sql`update minaret.users set ${column} = ${given}, updated_at = now() where id = ${userId}`)
    const action = given ? 'user.right_given' : 'user.right_taken'
    await recordAudit(transaction, { action, actor, userId, detail: { right } })
  })

/** Database triggers end sessions, grants and tokens in the same statement. */
export const setDisabled = (database: Database, input: AboutUser & { readonly disabled: boolean }): Promise<void> =>
  database.transaction(async transaction => {
    refuseOneself(input)
    const { userId, actor, disabled } = input
    await refuseErased(transaction, userId)
    // Calling the erasure off must not enable what an administrator has disabled.
    await transaction.run(sql`update minaret.erasures set stays_disabled = ${disabled} where user_id = ${userId}`)
    await transaction.run(sql`
      update minaret.users set disabled_at = case when ${disabled} then now() end, updated_at = now()
      where id = ${userId} and (disabled_at is null) = ${disabled}`)
    await recordAudit(transaction, { action: disabled ? 'user.disabled' : 'user.enabled', actor, userId })
  })

export const endAllSessions = (database: Database, { userId, actor }: AboutUser): Promise<void> =>
  database.transaction(async transaction => {
    const count = await endSessions(transaction, userId)
    await recordAudit(transaction, { action: 'user.sessions_ended', actor, userId, detail: { count } })
  })
