// The errors for a refused bearer credential (RFC 6750 section 3.1).
import { Fault } from '../base/fault.ts'
import { proofAlgorithms } from './dpop/proof.ts'

/** Header values are ASCII (RFC 9110, section 5.5); any other character would make the whole response fail. */
const quote = (text: string): string =>
  text
    .replaceAll(/["\\]/g, "'")
    .replaceAll('…', '...')
    .replaceAll(/[^\x20-\x7e]/g, '?')

/** RFC 6750, section 3: a request without a credential gets a challenge without an error. */
export const missingToken = (): Fault =>
  new Fault({
    code: 'missing_token',
    status: 401,
    message: 'Send a bearer credential: an access token or an API key, in the header "Authorization: Bearer …".',
    headers: { 'www-authenticate': 'Bearer realm="minaret"' },
  })

export const invalidToken = (message: string, detail?: unknown): Fault =>
  new Fault({
    code: 'invalid_token',
    status: 401,
    message,
    detail,
    headers: {
      'www-authenticate': `Bearer realm="minaret", error="invalid_token", error_description="${quote(message)}"`,
    },
  })

export const isInvalidToken = (error: unknown): boolean => error instanceof Fault && error.code === 'invalid_token'

const dpopChallenge = (error: string, message: string): string =>
  `DPoP algs="${proofAlgorithms.join(' ')}", error="${error}", error_description="${quote(message)}"`

/** RFC 9449 section 7.2: a token that is bound to a key is never accepted as a bearer token. */
export const boundToken = (): Fault => {
  const message = 'This token is bound to a key: send it as "Authorization: DPoP", with a proof.'
  const headers = { 'www-authenticate': dpopChallenge('invalid_token', message) }
  return new Fault({ code: 'invalid_token', status: 401, message, headers })
}

/** RFC 9449 sections 7.1 and 9: a nonce is sent along if the next proof must contain it. */
export const proofFault = ({
  message,
  nonce,
  cause,
}: {
  message: string
  nonce?: string | undefined
  cause?: unknown
}): Fault => {
  const code = nonce === undefined ? 'invalid_dpop_proof' : 'use_dpop_nonce'
  const challenge = { 'www-authenticate': dpopChallenge(code, message) }
  const headers = nonce === undefined ? challenge : { ...challenge, 'dpop-nonce': nonce }
  return new Fault({ code, status: 401, message, headers, cause })
}

/** RFC 9470 section 3: the person must sign in more strongly, and the app can ask for that. */
export const insufficientUserAuthentication = (acr: string, message: string): Fault =>
  new Fault({
    code: 'insufficient_user_authentication',
    status: 401,
    message,
    headers: {
      'www-authenticate': `Bearer realm="minaret", error="insufficient_user_authentication", error_description="${quote(message)}", acr_values="${acr}"`,
    },
  })

/** RFC 6750, section 3.1: "may include the scope attribute with the scope necessary to access the protected resource". */
export const insufficientScope = (scope: string, message: string): Fault =>
  new Fault({
    code: 'insufficient_scope',
    status: 403,
    message,
    headers: {
      'www-authenticate': `Bearer realm="minaret", error="insufficient_scope", error_description="${quote(message)}", scope="${scope}"`,
    },
  })
