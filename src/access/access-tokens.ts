// A signed access token (RFC 9068) → its claims, verified once and cached until it expires.
import { errors, jwtVerify } from 'jose'
import { LRUCache } from 'lru-cache'
import { type Clock, epochSeconds } from '../base/clock.ts'
import { invalidToken } from './faults.ts'
import { isScope, type Scope } from './scopes.ts'

/** The public key for a kid, if we have it. */
export type VerifyKeys = (kid: string) => CryptoKey | undefined | Promise<CryptoKey | undefined>

export interface VerifiedToken {
  readonly tokenId: string
  readonly clientId: string
  /** Undefined for an app that acts for itself: its `sub` is its client_id. */
  readonly userId: string | undefined
  readonly grantId: string | undefined
  readonly scopes: readonly Scope[]
  readonly issuedAt: number
  readonly expiresAt: number
  /** How strongly the person signed in, if with more than a password (RFC 9068 section 2.2.1). */
  readonly acr: string | undefined
  readonly authenticatedAt: number | undefined
  /** The key it is bound to (RFC 9449 section 6.1); undefined: whoever has it may use it. */
  readonly thumbprint: string | undefined
}

export interface AccessTokensInput {
  readonly issuer: string
  /** By default the issuer: the service as a whole. */
  readonly audience?: string
  /** What a token that is not valid is answered with, and one for another audience. */
  readonly invalid?: string
  readonly wrongAudience?: string
  readonly verifyKeys: VerifyKeys
  readonly clock: Clock
}

export interface AccessTokens {
  /** @throws {Fault} `invalid_token`. */
  verify(token: string): VerifiedToken | Promise<VerifiedToken>
  /** A token that is in the cache and has not expired; otherwise undefined. */
  known(token: string): VerifiedToken | undefined
  /** Empties the cache: one of our keys may have been removed. */
  forget(): void
}

const REMEMBERED = 10_000

/** Only our own keys are used, whatever `jwk`, `jku` or `x5u` the header has. */
const keyFrom =
  (verifyKeys: VerifyKeys) =>
  async ({ kid }: { kid?: string }): Promise<CryptoKey> => {
    const key = kid === undefined ? undefined : await verifyKeys(kid)
    if (key === undefined) throw new errors.JWKSNoMatchingKey()
    return key
  }

const textClaim = (claims: Readonly<Record<string, unknown>>, name: string): string => {
  const value = claims[name]
  if (typeof value !== 'string' || value === '') throw new errors.JWTInvalid(`the claim ${name} is missing`)
  return value
}

/** A confirmation of a kind that we do not know must not be passed over. */
const boundKey = ({ cnf }: Readonly<Record<string, unknown>>): string | undefined =>
  cnf === undefined ? undefined : textClaim(cnf as Record<string, unknown>, 'jkt')

const readClaims = (claims: Readonly<Record<string, unknown>>): VerifiedToken => {
  const clientId = textClaim(claims, 'client_id')
  const subject = textClaim(claims, 'sub')
  const userId = subject === clientId ? undefined : subject
  return {
    tokenId: textClaim(claims, 'jti'),
    clientId,
    userId,
    grantId: userId === undefined && claims.grant_id === undefined ? undefined : textClaim(claims, 'grant_id'),
    scopes: (typeof claims.scope === 'string' ? claims.scope : '').split(' ').filter(isScope),
    issuedAt: Number(claims.iat),
    expiresAt: Number(claims.exp),
    acr: typeof claims.acr === 'string' ? claims.acr : undefined,
    authenticatedAt: typeof claims.auth_time === 'number' ? claims.auth_time : undefined,
    thumbprint: boundKey(claims),
  }
}

const explain = (error: unknown, { invalid, wrongAudience }: { invalid: string; wrongAudience: string }): Error => {
  if (error instanceof errors.JWTExpired) return invalidToken('The access token has expired.')
  if (error instanceof errors.JWTClaimValidationFailed && error.claim === 'aud')
    return invalidToken(wrongAudience, error.message)
  if (error instanceof errors.JOSEError) return invalidToken(invalid, error.message)
  return error as Error
}

export const createAccessTokens = ({
  issuer,
  audience = issuer,
  invalid = 'The access token is not valid.',
  wrongAudience = invalid,
  verifyKeys,
  clock,
}: AccessTokensInput): AccessTokens => {
  const remembered = new LRUCache<string, VerifiedToken>({ max: REMEMBERED })
  const key = keyFrom(verifyKeys)
  /** A token whose verification started before the cache was emptied is not cached. */
  let generation = 0

  const verifyUncached = async (token: string): Promise<VerifiedToken> => {
    const began = generation
    try {
      // RFC 9068, section 4: "The resource server MUST verify that the 'typ' header value is 'at+jwt'", the issuer, the
      // audience, the signature and the expiry. The algorithm is pinned: a token cannot choose its own.
      const { payload } = await jwtVerify(token, key, {
        algorithms: ['ES256'],
        typ: 'at+jwt',
        issuer,
        audience,
        currentDate: clock.now(),
        requiredClaims: ['sub', 'client_id', 'jti', 'iat', 'exp'],
      })
      const verified = readClaims(payload)
      if (began === generation) remembered.set(token, verified)
      return verified
    } catch (error) {
      throw explain(error, { invalid, wrongAudience })
    }
  }

  const forget = (): void => {
    generation += 1
    remembered.clear()
  }

  const known = (token: string): VerifiedToken | undefined => {
    const found = remembered.get(token)
    if (found === undefined || found.expiresAt > epochSeconds(clock.now())) return found
    remembered.delete(token)
    return undefined
  }

  return { known, verify: token => known(token) ?? verifyUncached(token), forget }
}
