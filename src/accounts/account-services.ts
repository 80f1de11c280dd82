// What the operations of accounts need: the database, our address, limits, and a way to write mail.
import type { Counting } from '../base/limit.ts'
import type { Database, Queryable } from '../db/database.ts'
import { type AccountLimits, createAccountLimits } from './limits.ts'
import { type MailKind, writeMail } from './mail-texts.ts'
import { enqueueMail } from './outbox.ts'
import type { User } from './users.ts'

export interface AccountServices {
  readonly database: Database
  readonly baseUrl: string
  readonly limits: AccountLimits
}

export const createAccountServices = (
  parts: Pick<AccountServices, 'database' | 'baseUrl'>,
  counting: Counting | undefined,
): AccountServices => ({
  database: parts.database,
  baseUrl: parts.baseUrl,
  limits: createAccountLimits(counting),
})

export interface Letter {
  /** An address that nobody has confirmed may be a stranger's: nothing that was typed beside it is sent there. */
  readonly user: Pick<User, 'email' | 'name' | 'language' | 'emailVerified'>
  /** Path and query on our own address. */
  readonly path: string
  /** Another address that the letter speaks of. */
  readonly email?: string
}

export const sendLetter = (
  transaction: Queryable,
  services: Pick<AccountServices, 'baseUrl'>,
  kind: MailKind,
  { user, path, email }: Letter,
): Promise<void> => {
  const name = user.emailVerified ? user.name : undefined
  const values = { to: user.email, name, email, link: `${services.baseUrl}${path}` }
  return enqueueMail(transaction, writeMail(user.language, kind, values))
}
