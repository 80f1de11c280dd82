// A client assertion (RFC 7523 section 3) → nothing, if it was signed by the app's own key, for us, now, and never used before.
import { createLocalJWKSet, errors, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose'
import type { UseOnce } from '../../access/used-ids.ts'
import { assertionAlgorithms } from '../../apps/check-jwks.ts'
import { type Clock, epochSeconds } from '../../base/clock.ts'
import { invalidClient } from '../oauth-fault.ts'
import type { Client } from './client.ts'
import type { PublishedKeys } from './published-keys.ts'

export const ASSERTION_TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'

export type VerifyAssertion = (client: Client, assertion: string) => Promise<void>

export interface AssertionParts {
  /** The issuer; draft-ietf-oauth-rfc7523bis: it should be the only audience. Many libraries name the token endpoint. */
  readonly audiences: readonly string[]
  readonly clock: Clock
  readonly published: PublishedKeys
  readonly useOnce: UseOnce
}

/** How long an assertion may be valid, and how far clocks may differ. */
const ASSERTION_SECONDS = 300
const SKEW_SECONDS = 30
const LONGEST = 8192
const LONGEST_ID = 256

const refused = (why: string, detail?: unknown): Error =>
  invalidClient(`The client assertion is not valid: ${why}.`, detail)

/** RFC 8725 section 3.11: tokens of another kind are no assertions. */
const types = new Set([undefined, 'JWT', 'client-authentication+jwt'])

const isOneOf = (audience: JWTPayload['aud'], ours: readonly string[]): boolean => {
  const [only, ...others] = typeof audience === 'string' ? [audience] : (audience ?? [])
  return only !== undefined && others.length === 0 && ours.includes(only)
}

const explain = (error: unknown): Error => {
  if (error instanceof errors.JWTExpired) return refused('it has expired')
  if (error instanceof errors.JWKSMultipleMatchingKeys) return refused('several keys match; name one with kid')
  if (error instanceof errors.JWTClaimValidationFailed) return refused(`the claim ${error.claim} is wrong or missing`)
  if (error instanceof errors.JOSEError) return refused('its signature or form', error.message)
  return error as Error
}

const checkTimes = ({ exp = 0, iat }: JWTPayload, now: number): void => {
  if (exp > now + ASSERTION_SECONDS + SKEW_SECONDS)
    throw refused(`it must expire within ${ASSERTION_SECONDS} seconds; check the clock`)
  if (iat !== undefined && iat > now + SKEW_SECONDS) throw refused('it was issued in the future; check the clock')
}

export const createVerifyAssertion = ({ audiences, clock, published, useOnce }: AssertionParts): VerifyAssertion => {
  const documents = new WeakMap<object, JWTVerifyGetKey>()
  const ofDocument = (jwks: NonNullable<Client['jwks']>): JWTVerifyGetKey => {
    const known = documents.get(jwks) ?? createLocalJWKSet(jwks)
    documents.set(jwks, known)
    return known
  }

  const verifyWith = async (client: Client, assertion: string, key: JWTVerifyGetKey): Promise<JWTPayload> => {
    const { payload, protectedHeader } = await jwtVerify(assertion, key, {
      algorithms: [...assertionAlgorithms],
      // Section 3: both "MUST contain … the client_id of the OAuth client".
      issuer: client.clientId,
      subject: client.clientId,
      requiredClaims: ['jti', 'exp', 'aud'],
      clockTolerance: SKEW_SECONDS,
      currentDate: clock.now(),
    })
    if (!types.has(protectedHeader.typ)) throw refused('it is a token of another kind')
    return payload
  }

  /** A key that is not known yet may have been published since. */
  const verify = async ({ jwksUri, ...client }: Client, assertion: string): Promise<JWTPayload> => {
    if (client.jwks !== null) return verifyWith({ jwksUri, ...client }, assertion, ofDocument(client.jwks))
    const address = jwksUri ?? ''
    const found = await published.find(address)
    return verifyWith({ jwksUri, ...client }, assertion, found).catch(async error => {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error
      return verifyWith({ jwksUri, ...client }, assertion, await published.findAgain(address))
    })
  }

  return async (client, assertion) => {
    if (assertion.length > LONGEST) throw refused('it is too long')
    const payload = await verify(client, assertion).catch(error => {
      throw explain(error)
    })
    if (!isOneOf(payload.aud, audiences)) throw refused(`its aud must be ${audiences[0]}, and nothing else`)
    checkTimes(payload, epochSeconds(clock.now()))
    const { jti = '', exp = 0 } = payload
    if (typeof jti !== 'string' || jti === '' || jti.length > LONGEST_ID)
      throw refused('its jti is missing or too long')
    const expiresAt = exp + SKEW_SECONDS
    if (!(await useOnce({ within: `assertion ${client.clientId}`, id: jti, expiresAt })))
      throw refused('it was used before; each has a jti of its own')
  }
}
