// PKCE (RFC 7636) is mandatory, and only with S256.
import { sha256Base64url } from '../../base/secrets.ts'
import { invalidRequest } from '../oauth-fault.ts'
import type { Parameters } from '../parameters.ts'

/** A SHA-256 digest in base64url is always 43 characters. */
const CHALLENGE = /^[A-Za-z0-9_-]{43}$/
/** RFC 7636 section 4.1: 43 to 128 unreserved characters. */
const VERIFIER = /^[A-Za-z0-9\-._~]{43,128}$/

export const checkPkce = (parameters: Parameters): string => {
  const { code_challenge: challenge, code_challenge_method: method } = parameters
  if (challenge === undefined) throw invalidRequest('The request has no code_challenge: PKCE is required.')
  // RFC 7636 section 4.3 would read an absent method as "plain", which is not accepted.
  if (method !== 'S256') throw invalidRequest('The code_challenge_method must be "S256".')
  if (!CHALLENGE.test(challenge))
    throw invalidRequest('The code_challenge must be the base64url of a SHA-256 digest: 43 characters.')
  return challenge
}

/** The challenge for a verifier, or undefined if the verifier is malformed. */
export const challengeOf = (verifier: string): string | undefined =>
  VERIFIER.test(verifier) ? sha256Base64url(verifier) : undefined
