// What the operations of accounts need: the database, our address, limits, and a way to write mail.
import type { Counting } from '../base/limit.ts'
import type { Database, Queryable } from '../db/database.ts'
import type { Language } from './languages.ts'
import { type AccountLimits, createAccountLimits } from './limits.ts'
import { type MailKind, writeMail } from './mail-texts.ts'
import { enqueueMail } from './outbox.ts'

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
  readonly language: Language
  readonly to: string
  readonly name: string
  /** Path and query on our own address. */
  readonly path: string
  readonly email?: string
}

export const sendLetter = (
  transaction: Queryable,
  services: Pick<AccountServices, 'baseUrl'>,
  kind: MailKind,
  letter: Letter,
): Promise<void> => {
  const { language, path, ...values } = letter
  return enqueueMail(transaction, writeMail(language, kind, { ...values, link: `${services.baseUrl}${path}` }))
}
