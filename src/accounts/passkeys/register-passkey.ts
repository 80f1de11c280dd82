// Adding a passkey to one's own account, and removing one.
import {
  generateRegistrationOptions,
  type PublicKeyCredentialCreationOptionsJSON,
  type RegistrationResponseJSON,
  verifyRegistrationResponse,
} from '@simplewebauthn/server'
import type { Queryable } from '../../db/database.ts'
import { sql } from '../../db/sql.ts'
import type { AccountServices } from '../account-services.ts'
import { lockAccount } from '../factors/account-lock.ts'
import { giveRecoveryCodes, noteFactor, tidyFactors } from '../factors/authenticator-app.ts'
import { markFresh } from '../factors/step-up.ts'
import type { Session, Visit } from '../sessions.ts'
import { keepsAnotherWayIn } from '../ways-in.ts'
import { useChallenge } from './challenges.ts'
import { listPasskeys } from './stored-passkeys.ts'

/** More than anybody has devices. */
const MOST_PASSKEYS = 20

/** EdDSA, ES256 and RS256, in this order: every authenticator has one of them. */
const algorithms = [-8, -7, -257]

/** RFC 8176: a key in hardware, or one that is kept in several places; the device has checked who holds it. */
export const amrOf = (backedUp: boolean): readonly string[] => [backedUp ? 'swk' : 'hwk', 'user', 'mfa']

/** Undefined if passkeys cannot be used here. */
export const passkeyCreation = async (
  { database, passkeys, factors }: AccountServices,
  { user }: Session,
  binding: string,
): Promise<PublicKeyCredentialCreationOptionsJSON | undefined> => {
  if (passkeys.party === undefined) return undefined
  const known = await listPasskeys(database, user.id)
  return generateRegistrationOptions({
    rpName: 'Minaret',
    rpID: passkeys.party.id,
    userID: new Uint8Array(Buffer.from(user.id.replaceAll('-', ''), 'hex')),
    userName: user.email,
    userDisplayName: user.name,
    challenge: passkeys.challenges.make({ purpose: 'register', binding }, factors.clock.now()),
    attestationType: 'none',
    supportedAlgorithmIDs: algorithms,
    excludeCredentials: known.map(({ credentialId: id, transports }) => ({ id, transports })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })
}

export interface NewPasskey {
  readonly response: RegistrationResponseJSON
  readonly name: string
  readonly binding: string
  readonly visit: Visit
}

type Verified = NonNullable<Awaited<ReturnType<typeof verifyRegistrationResponse>>['registrationInfo']>

/** Undefined if the answer is not to our challenge, from our origin, and by a verified person. */
const verify = async (
  { passkeys, factors }: AccountServices,
  { response, binding }: NewPasskey,
): Promise<{ readonly info: Verified; readonly challenge: string } | undefined> => {
  if (passkeys.party === undefined) return undefined
  let challenge = ''
  try {
    const { verified, registrationInfo: info } = await verifyRegistrationResponse({
      response,
      expectedChallenge: given => {
        challenge = given
        return passkeys.challenges.isOurs(given, { purpose: 'register', binding }, factors.clock.now())
      },
      expectedOrigin: passkeys.party.origin,
      expectedRPID: passkeys.party.id,
      requireUserVerification: true,
      supportedAlgorithmIDs: algorithms,
    })
    return verified && info !== undefined ? { info, challenge } : undefined
  } catch {
    // The library throws a plain Error for everything that does not fit.
    return undefined
  }
}

/** False if the key is known, here or in another account, or there are too many. */
const store = async (transaction: Queryable, userId: string, name: string, info: Verified): Promise<boolean> => {
  const { credential, credentialBackedUp } = info
  const stored = await transaction.run(sql`
    insert into minaret.passkeys (user_id, credential_id, public_key, counter, transports, backed_up, name)
    select ${userId}, ${credential.id}, ${Buffer.from(credential.publicKey)}, ${credential.counter},
      ${credential.transports ?? []}::text[], ${credentialBackedUp}, ${name}
    where (select count(*) from minaret.passkeys where user_id = ${userId}) < ${MOST_PASSKEYS}
    on conflict (credential_id) do nothing`)
  return stored > 0
}

export type AddedPasskey =
  | { readonly kind: 'refused' }
  /** With recovery codes, if the account had none. */
  | { readonly kind: 'added'; readonly codes: readonly string[] | undefined }

export const addPasskey = async (
  services: AccountServices,
  session: Session,
  input: NewPasskey,
): Promise<AddedPasskey> => {
  const checked = await verify(services, input)
  if (checked === undefined) return { kind: 'refused' }
  const { user } = session
  return services.database.transaction(async (transaction): Promise<AddedPasskey> => {
    if ((await lockAccount(transaction, user.id)) === undefined) return { kind: 'refused' }
    if (!(await useChallenge(transaction, checked.challenge))) return { kind: 'refused' }
    if (!(await store(transaction, user.id, input.name, checked.info))) return { kind: 'refused' }
    // Sessions from before the first factor have shown less than the account now asks for.
    await transaction.run(sql`
      update minaret.sessions set fresh_at = null
      where user_id = ${user.id} and ended_at is null and not 'mfa' = any (amr)`)
    await markFresh(transaction, session.id, amrOf(checked.info.credentialBackedUp))
    const codes = await giveRecoveryCodes(services, transaction, user.id)
    await noteFactor(services, transaction, { user, visit: input.visit, change: 'added' })
    return { kind: 'added', codes }
  })
}

/** Only one's own, and never the last way in. False if it stays, or there is none. */
export const removePasskey = (
  services: AccountServices,
  { user }: Session,
  { id, visit }: { readonly id: string; readonly visit: Visit },
): Promise<boolean> =>
  services.database.transaction(async transaction => {
    const account = await lockAccount(transaction, user.id)
    const removed = await transaction.run(sql`
      delete from minaret.passkeys where id = ${id} and user_id = ${user.id}
        and ${keepsAnotherWayIn(account, { userId: user.id, id })}`)
    if (removed === 0) return false
    await tidyFactors(transaction, user.id)
    await noteFactor(services, transaction, { user, visit, change: 'removed' })
    return true
  })
