// An account → whether its owner can still sign in once a passkey or a linked provider is removed.
import { type Sql, sql } from '../db/sql.ts'
import type { lockAccount } from './factors/account-lock.ts'

/** A condition that holds if a password, another passkey or another provider is left. The account has to be locked. */
export const keepsAnotherWayIn = (
  account: Awaited<ReturnType<typeof lockAccount>>,
  removing: { readonly userId: string; readonly id: string },
): Sql => sql`(${account?.passwordHash !== null}
  or exists (select from minaret.passkeys other where other.user_id = ${removing.userId} and other.id <> ${removing.id})
  or exists (select from minaret.linked_identities other where other.user_id = ${removing.userId} and other.id <> ${removing.id}))`
