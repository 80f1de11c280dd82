// Signing in, or confirming who one is, with a passkey.
import {
  type AuthenticationResponseJSON,
  generateAuthenticationOptions,
  type PublicKeyCredentialRequestOptionsJSON,
  verifyAuthenticationResponse,
} from '@simplewebauthn/server'
import { recordAccountEvent } from '../../audit/record-account-event.ts'
import type { Queryable } from '../../db/database.ts'
import { sql } from '../../db/sql.ts'
import type { AccountServices } from '../account-services.ts'
import { lockAccount } from '../factors/account-lock.ts'
import { tellOfNewDevice } from '../factors/new-device.ts'
import { markFresh } from '../factors/step-up.ts'
import { type Session, startSession, type Visit } from '../sessions.ts'
import { type ChallengeFor, useChallenge } from './challenges.ts'
import { amrOf } from './register-passkey.ts'
import { findPasskey, listPasskeys, type Passkey } from './stored-passkeys.ts'

/** For anybody, or for one person's keys. Undefined if passkeys cannot be used here. */
export const passkeyRequest = async (
  { database, passkeys, factors }: AccountServices,
  purpose: ChallengeFor,
  userId?: string,
): Promise<PublicKeyCredentialRequestOptionsJSON | undefined> => {
  if (passkeys.party === undefined) return undefined
  const own = userId === undefined ? [] : await listPasskeys(database, userId)
  if (userId !== undefined && own.length === 0) return undefined
  return generateAuthenticationOptions({
    rpID: passkeys.party.id,
    challenge: passkeys.challenges.make(purpose, factors.clock.now()),
    allowCredentials: own.map(({ credentialId: id, transports }) => ({ id, transports })),
    userVerification: 'required',
  })
}

export interface PasskeyAnswer {
  readonly response: AuthenticationResponseJSON
  readonly purpose: ChallengeFor
  readonly visit: Visit
}

interface Verified {
  readonly passkey: Passkey
  readonly challenge: string
  readonly counter: number
  readonly backedUp: boolean
}

const verifyWith = async (
  { passkeys, factors }: AccountServices,
  { response, purpose }: PasskeyAnswer,
  passkey: Passkey,
): Promise<Verified | undefined> => {
  if (passkeys.party === undefined) return undefined
  let challenge = ''
  const { credentialId: id, publicKey, counter, transports } = passkey
  const { verified, authenticationInfo: info } = await verifyAuthenticationResponse({
    response,
    expectedChallenge: given => {
      challenge = given
      return passkeys.challenges.isOurs(given, purpose, factors.clock.now())
    },
    expectedOrigin: passkeys.party.origin,
    expectedRPID: passkeys.party.id,
    credential: { id, publicKey: new Uint8Array(publicKey), counter, transports },
    requireUserVerification: true,
  })
  return verified ? { passkey, challenge, counter: info.newCounter, backedUp: info.credentialBackedUp } : undefined
}

/** The library throws for everything that does not fit: another origin, a counter that went back, a wrong signature. */
const verify = async (services: AccountServices, answer: PasskeyAnswer): Promise<Verified | undefined> => {
  const passkey = await findPasskey(services.database, String(answer.response.id))
  if (passkey === undefined) return undefined
  const verified = await verifyWith(services, answer, passkey).catch(() => undefined)
  const { userId } = passkey
  if (verified === undefined)
    await recordAccountEvent(services.database, {
      action: 'account.passkey_refused',
      userId,
      address: answer.visit.address,
    })
  return verified
}

/** WebAuthn section 7.2, step 22: a counter that does not grow is a sign of a copy. Here also of two uses at once. */
const consume = async (
  transaction: Queryable,
  { passkey, challenge, counter, backedUp }: Verified,
): Promise<boolean> => {
  if ((await lockAccount(transaction, passkey.userId)) === undefined) return false
  if (!(await useChallenge(transaction, challenge))) return false
  const used = await transaction.run(sql`
    update minaret.passkeys set counter = ${counter}, backed_up = ${backedUp}, last_used_at = now()
    where id = ${passkey.id} and (counter < ${counter} or (counter = 0 and ${counter} = 0))`)
  return used > 0
}

/** @returns the token of a new session, or nothing if the answer does not fit. */
export const signInWithPasskey = async (
  services: AccountServices,
  answer: PasskeyAnswer,
): Promise<string | undefined> => {
  const verified = await verify(services, answer)
  if (verified === undefined) return undefined
  const { userId } = verified.passkey
  return services.database.transaction(async transaction => {
    if (!(await consume(transaction, verified))) return undefined
    await tellOfNewDevice(services, transaction, { userId, visit: answer.visit })
    const token = await startSession(transaction, userId, answer.visit, amrOf(verified.backedUp))
    const { address } = answer.visit
    await recordAccountEvent(transaction, { action: 'account.signed_in', actorId: userId, userId, address })
    return token
  })
}

export const stepUpWithPasskey = async (
  services: AccountServices,
  session: Session,
  answer: PasskeyAnswer,
): Promise<boolean> => {
  const verified = await verify(services, answer)
  if (verified === undefined || verified.passkey.userId !== session.user.id) return false
  return services.database.transaction(
    async transaction =>
      (await consume(transaction, verified)) &&
      (await markFresh(transaction, session.id, amrOf(verified.backedUp))) > 0,
  )
}
