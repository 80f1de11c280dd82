// A confirmed user, an approved app and its credentials in one line each, through the same code as the console and the commands.
import { randomBytes } from 'node:crypto'
import type { Scope } from '../../src/access/scopes.ts'
import { hashPassword } from '../../src/accounts/password.ts'
import { createUser, type NewUser, type User } from '../../src/accounts/users.ts'
import type { AppKind } from '../../src/apps/app.ts'
import { checkRegistration } from '../../src/apps/check-registration.ts'
import { approveApp } from '../../src/apps/decide.ts'
import { faultOfFields } from '../../src/apps/describe-fault.ts'
import { createKey, type NewKey } from '../../src/apps/keys.ts'
import type { MasjidChoice } from '../../src/apps/masjids.ts'
import { registerApp } from '../../src/apps/register.ts'
import { createSecret } from '../../src/apps/secrets.ts'
import { commandActor } from '../../src/audit/record-audit.ts'
import type { Database } from '../../src/db/database.ts'
import { sql } from '../../src/db/sql.ts'

export const PASSWORD = 'a password for tests'

const unique = (): string => randomBytes(5).toString('hex')

/** Slow by design, so it is made once per process; that each hash has its own salt is tested elsewhere. */
let passwordHash: Promise<string> | undefined

export const givePassword = async (database: Database, userId: string): Promise<void> => {
  passwordHash ??= hashPassword({ password: PASSWORD, turnOf: '' })
  await database.run(sql`update minaret.users set password_hash = ${await passwordHash} where id = ${userId}`)
}

/** `hashed: false` leaves out the password, for users who never sign in. */
export const makeUser = async (
  database: Database,
  { hashed = true, ...values }: Partial<NewUser> & { hashed?: boolean } = {},
): Promise<User> => {
  const name = `user-${unique()}`
  const wishes = { email: `${name}@example.org`, name, password: undefined, emailVerified: true, ...values }
  const user = await createUser(database, wishes)
  if (hashed && values.password === undefined) await givePassword(database, user.id)
  return user
}

export interface AppWishes {
  readonly ownerId?: string
  readonly name?: string
  readonly logo?: string
  readonly kind?: AppKind
  readonly scopes?: readonly Scope[]
  readonly redirectUris?: readonly string[]
  readonly postLogoutRedirectUris?: readonly string[]
  readonly idTokenAlgorithm?: string
  readonly clientAuthentication?: string
  readonly deviceFlow?: string
  readonly masjids?: MasjidChoice
  /** Fewer than `scopes`, if the reviewer grants fewer. */
  readonly granted?: readonly Scope[]
}

export const REDIRECT_URI = 'https://app.example.org/callback'

/** An app pending review. */
export const makePendingApp = async (database: Database, wishes: AppWishes = {}): Promise<string> => {
  const checked = checkRegistration(
    {
      name: wishes.name ?? `App ${unique()}`,
      description: 'An app made by a test.',
      logo: wishes.logo,
      kind: wishes.kind ?? 'public',
      redirectUris: wishes.redirectUris ?? [REDIRECT_URI],
      postLogoutRedirectUris: wishes.postLogoutRedirectUris ?? [],
      scopes: wishes.scopes ?? ['masjid:read'],
      idTokenAlgorithm: wishes.idTokenAlgorithm,
      clientAuthentication: wishes.clientAuthentication,
      deviceFlow: wishes.deviceFlow,
    },
    'development',
  )
  if (checked.kind === 'faulty') throw faultOfFields(checked.faults)
  const ownerId = wishes.ownerId ?? (await makeUser(database, { hashed: false })).id
  return registerApp(database, { ownerId, registration: checked.registration, actor: commandActor })
}

export interface MadeApp {
  readonly id: string
  readonly clientId: string
  /** Empty for a public app. */
  readonly clientSecret: string
}

export const makeApp = async (database: Database, wishes: AppWishes = {}): Promise<MadeApp> => {
  const id = await makePendingApp(database, wishes)
  const { granted, masjids, kind } = wishes
  const clientId = await approveApp(database, { appId: id, actor: commandActor, scopes: granted, masjids })
  const clientSecret = kind === 'confidential' ? await createSecret(database, { appId: id, actor: commandActor }) : ''
  return { id, clientId, clientSecret }
}

export interface KeyWishes {
  readonly appId: string
  readonly scopes?: readonly Scope[]
  readonly test?: boolean
  readonly expiresAt?: Date
  readonly requestsPerMinute?: number
}

export const makeKey = (
  database: Database,
  { appId, scopes, test, expiresAt, requestsPerMinute }: KeyWishes,
): Promise<NewKey> =>
  createKey(database, {
    appId,
    actor: commandActor,
    name: 'test',
    environment: test === true ? 'test' : 'live',
    scopes: scopes ?? ['masjid:read'],
    expiresAt,
    requestsPerMinute,
  })
