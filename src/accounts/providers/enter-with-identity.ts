// Somebody whom another provider vouches for → signed in, asked for the second factor, given a new account, or told what to do.
import { recordAccountEvent } from '../../audit/record-account-event.ts'
import type { Queryable } from '../../db/database.ts'
import { sql } from '../../db/sql.ts'
import type { AccountServices } from '../account-services.ts'
import { emailKey } from '../email-rules.ts'
import { hasFactor } from '../factors/factor-state.ts'
import { markFresh } from '../factors/step-up.ts'
import { isKeptEmail } from '../kept-email.ts'
import type { Language } from '../languages.ts'
import type { Session, Visit } from '../sessions.ts'
import { type Opened, openOrChallenge } from '../sign-in.ts'
import { createUser, findUserByEmail } from '../users.ts'
import type { Identity } from './identity.ts'
import type { Journey } from './journey.ts'
import { link, useIdentity } from './linked-identities.ts'

/** Not in RFC 8176, which has no word for it; others write it so too. */
const FEDERATED = ['fed'] as const

export interface Arrival {
  readonly identity: Identity
  readonly visit: Visit
  readonly language: Language
  /** An app asks for more than one factor. */
  readonly strong: boolean
}

export type EnterOutcome =
  | Opened
  /** The account is disabled. */
  | { readonly kind: 'refused' }
  /** A new account needs an address that the provider has checked. */
  | { readonly kind: 'unverified' }
  /** Somebody has an account with this address, and has to sign in to it first. */
  | { readonly kind: 'exists'; readonly email: string }

interface Owner {
  readonly id: string
  readonly has_factor: boolean
}

/** Locked, so that of a sign-in and disabling the account at once the second sees the first. */
const findOwner = (transaction: Queryable, userId: string): Promise<Owner | undefined> =>
  transaction.first<Owner>(sql`
    select id, minaret.has_factor(id) as has_factor from minaret.users
    where id = ${userId} and disabled_at is null for no key update`)

const enterAs = async (
  services: AccountServices,
  transaction: Queryable,
  { userId, arrival }: { readonly userId: string; readonly arrival: Arrival },
): Promise<EnterOutcome> => {
  const { visit, strong } = arrival
  const owner = await findOwner(transaction, userId)
  if (owner !== undefined) return openOrChallenge(services, transaction, { user: owner, visit, strong, amr: FEDERATED })
  await recordAccountEvent(transaction, { action: 'account.sign_in_refused', userId, address: visit.address })
  return { kind: 'refused' }
}

/**
 * Never by the address alone, even if both sides have checked it: it may have had another owner when the account here was made,
 * or get one at the provider. Whoever has the account here links the two.
 */
const createAccount = async (
  services: AccountServices,
  transaction: Queryable,
  arrival: Arrival,
): Promise<EnterOutcome> => {
  const { identity, language, visit } = arrival
  const { email, emailVerified, name } = identity
  if (email === undefined || !emailVerified) return { kind: 'unverified' }
  await transaction.run(sql`select pg_advisory_xact_lock(hashtextextended(${`sign-up ${emailKey(email)}`}, 0))`)
  const isTaken = (await findUserByEmail(transaction, email)) !== undefined || (await isKeptEmail(transaction, email))
  if (isTaken) return { kind: 'exists', email }
  const fallback = email.slice(0, email.indexOf('@')).slice(0, 100)
  const user = await createUser(transaction, {
    email,
    name: name ?? fallback,
    password: undefined,
    language,
    emailVerified: true,
  })
  await recordAccountEvent(transaction, { action: 'account.signed_up', userId: user.id, address: visit.address })
  await link(services, transaction, { user, identity, visit })
  return enterAs(services, transaction, { userId: user.id, arrival })
}

export const enterWithIdentity = (services: AccountServices, arrival: Arrival): Promise<EnterOutcome> =>
  services.database.transaction(async transaction => {
    const userId = await useIdentity(transaction, arrival.identity)
    return userId === undefined
      ? createAccount(services, transaction, arrival)
      : enterAs(services, transaction, { userId, arrival })
  })

/** Clocks differ a little. */
const SKEW_SECONDS = 60

/** Providers that say when somebody signed in must say that it was just now. Others are asked to, and taken at their word. */
const signedInJustNow = ({ authTime }: Identity, { since }: Journey): boolean =>
  authTime === undefined || authTime + SKEW_SECONDS >= since / 1000

/** For accounts without a second factor, like a password. */
export const stepUpWithIdentity = (
  { database }: AccountServices,
  session: Session,
  { identity, journey }: { readonly identity: Identity; readonly journey: Journey },
): Promise<boolean> =>
  database.transaction(async transaction => {
    if (!signedInJustNow(identity, journey) || (await useIdentity(transaction, identity)) !== session.user.id)
      return false
    return !(await hasFactor(transaction, session.user.id)) && (await markFresh(transaction, session.id, FEDERATED)) > 0
  })
