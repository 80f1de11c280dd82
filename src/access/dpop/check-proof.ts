// A DPoP proof (RFC 9449 section 4.3) → the thumbprint of its key, if it is for this request, fresh, and never used before.
import { calculateJwkThumbprint, EmbeddedJWK, errors, type JWK, type JWTPayload, jwtVerify } from 'jose'
import { type Clock, epochSeconds } from '../../base/clock.ts'
import { sha256Base64url } from '../../base/secrets.ts'
import type { UseOnce } from '../used-ids.ts'
import type { Nonces } from './nonces.ts'
import { type PresentedProof, proofAlgorithms } from './proof.ts'

/** Why a proof was refused; each endpoint has its own form of saying so. */
export class ProofRefused extends Error {
  /** What the next proof must contain, if that is all that is wrong. */
  readonly nonce: string | undefined

  constructor(message: string, input: { readonly nonce?: string; readonly cause?: unknown } = {}) {
    super(message, input.cause === undefined ? undefined : { cause: input.cause })
    this.name = 'ProofRefused'
    this.nonce = input.nonce
  }
}

interface ExpectedProof {
  /** The access token it is sent with. */
  readonly token?: string
  /** The key that token is bound to. */
  readonly thumbprint?: string
}

/** @throws {ProofRefused} */
export type CheckProof = (proof: PresentedProof, expected?: ExpectedProof) => Promise<string>

export interface CheckProofParts {
  readonly nonces: Nonces
  readonly useOnce: UseOnce
  readonly clock: Clock
}

/** How old a proof may be, and how far ahead the client's clock. */
const PROOF_SECONDS = 60
const SKEW_SECONDS = 30
const LONGEST = 4096
const LONGEST_ID = 256

const refused = (why: string, cause?: unknown): ProofRefused =>
  new ProofRefused(`The DPoP proof is not valid: ${why}.`, { cause })

const explain = (error: unknown): Error => {
  if (error instanceof errors.JOSEAlgNotAllowed) return refused(`use one of ${proofAlgorithms.join(', ')}`)
  if (error instanceof errors.JWTClaimValidationFailed) return refused(`the claim ${error.claim} is wrong or missing`)
  // Web Crypto reports unusable keys in its own terms.
  return refused('its signature, key or form', error)
}

/** Section 4.3: scheme and host in any capitals, the default port written or not; without query and fragment. */
const sameAddress = (claimed: unknown, address: string): boolean => {
  if (typeof claimed !== 'string' || !URL.canParse(claimed)) return false
  const { origin, pathname } = new URL(claimed)
  const own = new URL(address)
  return origin === own.origin && pathname === own.pathname
}

const checkTime = ({ iat }: JWTPayload, now: number): number => {
  if (typeof iat !== 'number') throw refused('the claim iat is missing')
  if (iat < now - PROOF_SECONDS) throw refused('it is too old; check the clock')
  if (iat > now + SKEW_SECONDS) throw refused('it was issued in the future; check the clock')
  return iat
}

const checkRequest = (claims: JWTPayload, { method, address }: PresentedProof, token: string | undefined): void => {
  if (claims.htm !== method) throw refused('its htm is not the method of the request')
  if (!sameAddress(claims.htu, address)) throw refused('its htu is not the address of the request')
  if (token !== undefined && claims.ath !== sha256Base64url(token))
    throw refused('its ath is not the hash of the token')
}

const verify = async (text: string, now: Date): Promise<{ claims: JWTPayload; jwk: JWK }> => {
  try {
    const { payload, protectedHeader } = await jwtVerify(text, EmbeddedJWK, {
      algorithms: [...proofAlgorithms],
      typ: 'dpop+jwt',
      // The time is checked below; a proof has no expiry of its own.
      currentDate: now,
    })
    const { jwk = {} as JWK } = protectedHeader
    // Section 4.3: "The jwk JOSE Header Parameter does not contain a private key."
    if ('d' in jwk) throw refused('its header has a private key')
    return { claims: payload, jwk }
  } catch (error) {
    throw error instanceof ProofRefused ? error : explain(error)
  }
}

export const createCheckProof =
  ({ nonces, useOnce, clock }: CheckProofParts): CheckProof =>
  async (proof, { token, thumbprint: bound } = {}) => {
    const { text } = proof
    if (text === undefined) throw new ProofRefused('Send one DPoP header with a proof of the key.')
    if (text.length > LONGEST) throw refused('it is too long')
    const now = clock.now()
    const { claims, jwk } = await verify(text, now)
    checkRequest(claims, proof, token)
    const thumbprint = await calculateJwkThumbprint(jwk, 'sha256')
    if (bound !== undefined && thumbprint !== bound) throw refused('the token is bound to another key')
    // After a new nonce the same clock may still be wrong, so that is said first.
    const issuedAt = checkTime(claims, epochSeconds(now))
    if (typeof claims.nonce !== 'string' || !nonces.accepts(claims.nonce))
      throw new ProofRefused('Repeat the request with the nonce of the DPoP-Nonce header in its proof.', {
        nonce: nonces.current(),
      })
    const { jti } = claims
    if (typeof jti !== 'string' || jti === '' || jti.length > LONGEST_ID)
      throw refused('its jti is missing or too long')
    const expiresAt = issuedAt + PROOF_SECONDS + SKEW_SECONDS
    if (!(await useOnce({ within: `dpop ${thumbprint}`, id: jti, expiresAt })))
      throw refused('it was used before; each has a jti of its own')
    return thumbprint
  }
