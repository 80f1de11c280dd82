// People with an account: creating, finding and changing them. Passwords come in as typed and are stored only as hashes.
import { Fault } from '../base/fault.ts'
import type { Queryable } from '../db/database.ts'
import { prepared, sql } from '../db/sql.ts'
import { isEmailConflict } from './kept-email.ts'
import { isLanguage, type Language } from './languages.ts'
import { hashPassword } from './password.ts'

export interface User {
  readonly id: string
  readonly email: string
  readonly emailVerified: boolean
  readonly name: string
  readonly picture: string | undefined
  readonly isReviewer: boolean
  readonly isAdmin: boolean
  readonly language: Language
  readonly disabled: boolean
  readonly createdAt: Date
}

export interface UserRow {
  readonly id: string
  readonly email: string
  readonly email_verified_at: Date | null
  readonly name: string
  readonly picture: string | null
  readonly is_reviewer: boolean
  readonly is_admin: boolean
  readonly locale: string
  readonly disabled_at: Date | null
  readonly user_created_at: Date
}

export const userColumns = sql`users.id, users.email, users.email_verified_at, users.name, users.picture,
  users.is_reviewer, users.is_admin, users.locale, users.disabled_at, users.created_at as user_created_at`

export const toUser = (row: UserRow): User => ({
  id: row.id,
  email: row.email,
  emailVerified: row.email_verified_at !== null,
  name: row.name,
  picture: row.picture ?? undefined,
  isReviewer: row.is_reviewer,
  isAdmin: row.is_admin,
  language: isLanguage(row.locale) ? row.locale : 'en',
  disabled: row.disabled_at !== null,
  createdAt: row.user_created_at,
})

export interface NewUser {
  readonly id?: string
  readonly email: string
  readonly name: string
  /** As typed. If undefined, the account has no password until it is reset by mail. */
  readonly password: string | undefined
  readonly language?: Language
  readonly emailVerified?: boolean
  readonly isReviewer?: boolean
  readonly isAdmin?: boolean
}

export const emailTaken = (): Fault =>
  new Fault({ code: 'email_taken', status: 409, message: 'Another account has this email address.' })

/** @throws {Fault} `email_taken` */
export const createUser = async (database: Queryable, user: NewUser): Promise<User> => {
  const passwordHash = user.password === undefined ? null : await hashPassword({ password: user.password, turnOf: '' })
  const row = await database
    .first<UserRow>(sql`
    insert into minaret.users as users (id, email, name, password_hash, locale, email_verified_at, is_reviewer, is_admin)
    values (coalesce(${user.id ?? null}::uuid, gen_random_uuid()), ${user.email.trim()}, ${user.name.trim()},
      ${passwordHash}, ${user.language ?? 'en'}, case when ${user.emailVerified ?? false} then now() end,
      ${user.isReviewer ?? false}, ${user.isAdmin ?? false})
    on conflict do nothing
    returning ${userColumns}`)
    .catch(error => {
      throw isEmailConflict(error) ? emailTaken() : error
    })
  if (row === undefined) throw emailTaken()
  return toUser(row)
}

export const findUserById = async (database: Queryable, id: string): Promise<User | undefined> => {
  const row = await database.first<UserRow>(
    prepared('user_by_id', sql`select ${userColumns} from minaret.users where id = ${id}`),
  )
  return row && toUser(row)
}

export const findUserByEmail = async (database: Queryable, email: string): Promise<User | undefined> => {
  const row = await database.first<UserRow>(
    sql`select ${userColumns} from minaret.users where lower(email) = lower(${email.trim()})`,
  )
  return row && toUser(row)
}

/** Takes a hash, so that no database connection is held while a password waits to be hashed. */
export const setPasswordHash = async (database: Queryable, userId: string, hash: string): Promise<void> => {
  await database.run(sql`update minaret.users set password_hash = ${hash}, updated_at = now() where id = ${userId}`)
}

export interface ProfileChange {
  readonly name: string
  readonly picture: string | undefined
  readonly language: Language
}

export const updateProfile = async (database: Queryable, userId: string, profile: ProfileChange): Promise<void> => {
  const { name, picture, language } = profile
  await database.run(sql`
    update minaret.users set name = ${name}, picture = ${picture ?? null}, locale = ${language}, updated_at = now()
    where id = ${userId}`)
}
