// Accounts that are stolen and taken back, for attacks: who owns what, what the thief adds, and the way back.
import type { Scope } from '../../../src/access/scopes.ts'
import type { User } from '../../../src/accounts/users.ts'
import { createKey, type NewKey } from '../../../src/apps/keys.ts'
import { randomToken, sha256 } from '../../../src/base/secrets.ts'
import type { Database } from '../../../src/db/database.ts'
import { sql } from '../../../src/db/sql.ts'
import { runUntilErased } from '../../../src/own-data/erase/run-erasure.ts'
import { makeApp, makeUser, PASSWORD } from '../../support/apps.ts'
import { lastMailTo } from '../../support/mail.ts'
import type { TestMinaret } from '../../support/minaret.ts'
import { createPerson, type Person, type Shown } from '../../support/person.ts'

export const NEW_PASSWORD = 'a lantern and two doves'
const SCOPES = ['masjid:read'] as const satisfies readonly Scope[]

export const actorOf = (userId: string) => ({ kind: 'user', userId, address: undefined }) as const

/** As if everything that this account has done so far had happened earlier. */
export const moveBack = async (database: Database, userId: string, by: string): Promise<void> => {
  await database.run(sql`update minaret.account_acts set at = at - ${by}::interval where actor_id = ${userId}`)
  await database.run(
    sql`update minaret.sessions set created_at = created_at - ${by}::interval where user_id = ${userId}`,
  )
  await database.run(
    sql`update public.ua_capabilities set granted_at = granted_at - ${by}::interval where granted_by = ${userId}`,
  )
}

export const addApiKey = async (database: Database, userId: string, appId: string): Promise<NewKey> =>
  createKey(database, { appId, actor: actorOf(userId), name: 'key', environment: 'live', scopes: SCOPES })

interface Theft {
  readonly owner: User
  readonly appId: string
  readonly clientId: string
  /** Signed in with the owner's password. */
  readonly thief: Person
}

export const makeOwner = async (database: Database): Promise<Omit<Theft, 'thief'>> => {
  const owner = await makeUser(database)
  const app = await makeApp(database, { ownerId: owner.id, kind: 'confidential', scopes: SCOPES })
  return { owner, appId: app.id, clientId: app.clientId }
}

export const enterAsThief = async (minaret: TestMinaret, { email }: User): Promise<Person> => {
  const thief = createPerson(minaret.baseUrl)
  await thief.signIn(email, PASSWORD)
  return thief
}

/** The thief's own address becomes that of the account. @returns the link that the owner finds in the old mailbox */
export const changeAddress = async (minaret: TestMinaret, thief: Person, { email }: User): Promise<string> => {
  const { database } = minaret.service
  const evil = `evil-${email}`
  await thief.submit('/account', '/account/email', { new_email: evil, email_password: PASSWORD })
  const { link } = await lastMailTo(database, evil)
  const confirmed = await thief.submit(link, '/confirm-email', {})
  if (confirmed.status !== 303) throw new Error(`The change was not confirmed: ${confirmed.status}`)
  return (await lastMailTo(database, email)).link
}

export const followLink = (minaret: TestMinaret, link: string): Promise<Shown> =>
  createPerson(minaret.baseUrl).submit(link, '/stop-email-change', {})

/** From the link to a browser in which the owner is signed in. */
export const comeBack = async (minaret: TestMinaret, link: string, { email }: User) => {
  const back = createPerson(minaret.baseUrl)
  const stopped = await back.submit(link, '/stop-email-change', {})
  await back.submit(stopped.location ?? '', '/reset-password', { password: NEW_PASSWORD })
  const entered = await back.submit('/sign-in', '/sign-in', { email, password: NEW_PASSWORD })
  return { back, stopped, entered }
}

export const PAGE = '/account/taken-back'

export const nameLast = (back: Person, last: string): Promise<Shown> => back.submit(PAGE, `${PAGE}/last`, { last })

/** The id of the n-th sign-in of an account, from the first on. */
export const signInOf = async (database: Database, userId: string, place: number): Promise<string> => {
  const row = await database.first<{ id: string }>(sql`
    select id from minaret.sessions where user_id = ${userId} order by created_at offset ${place} limit 1`)
  return row?.id ?? ''
}

/** As if somebody had asked for it a week ago. */
export const erase = async (database: Database, userId: string): Promise<void> => {
  await database.run(sql`
    insert into minaret.erasures (user_id, asked_by, due_at, token_hash)
    values (${userId}, 'themselves', now(), ${sha256(randomToken(32))})`)
  await database.run(sql`update minaret.users set disabled_at = now() where id = ${userId}`)
  await runUntilErased(database, [userId])
}
