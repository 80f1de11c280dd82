// The errors of RFC 6749 and related RFCs as faults: one function per code, so that no code is misspelt.
import { Fault } from '../base/fault.ts'
import type { FaultCode } from '../base/fault-catalogue.ts'

/** RFC 6749 section 5.2: a description is printable ASCII without double quotes and backslashes. */
const describable = (text: string): string => text.replaceAll(/["\\]/g, "'").replaceAll(/[^\x20-\x7e]/g, '?')

const oauthFault =
  (code: FaultCode, status: number) =>
  (message: string, detail?: unknown): Fault =>
    new Fault({ code, status, message: describable(message), detail })

// RFC 6749 sections 4.1.2.1 and 5.2.
export const invalidRequest = oauthFault('invalid_request', 400)
export const invalidGrant = oauthFault('invalid_grant', 400)
export const invalidScope = oauthFault('invalid_scope', 400)
export const unauthorizedClient = oauthFault('unauthorized_client', 400)
export const unsupportedGrantType = oauthFault('unsupported_grant_type', 400)
export const unsupportedResponseType = oauthFault('unsupported_response_type', 400)
export const accessDenied = oauthFault('access_denied', 400)
// RFC 8628 section 3.5.
export const authorizationPending = oauthFault('authorization_pending', 400)
export const slowDown = oauthFault('slow_down', 400)
export const expiredToken = oauthFault('expired_token', 400)
// OpenID Connect Core section 3.1.2.6.
export const loginRequired = oauthFault('login_required', 400)
export const consentRequired = oauthFault('consent_required', 400)
export const registrationNotSupported = oauthFault('registration_not_supported', 400)
export const requestNotSupported = oauthFault('request_not_supported', 400)
export const requestUriNotSupported = oauthFault('request_uri_not_supported', 400)
// OpenID Connect Core Unmet Authentication Requirements, RFC 9470 section 5.
export const unmetAuthenticationRequirements = oauthFault('unmet_authentication_requirements', 400)
// RFC 9126 section 2.2 and RFC 9101 section 4: the pushed request is unknown, used or expired.
export const invalidRequestUri = oauthFault('invalid_request_uri', 400)
// RFC 8707 section 2.
export const invalidTarget = oauthFault('invalid_target', 400)

/** RFC 6749 section 5.2: 401, with a challenge for the supported scheme. */
export const invalidClient = (message: string, detail?: unknown): Fault =>
  new Fault({
    code: 'invalid_client',
    status: 401,
    message: describable(message),
    detail,
    headers: { 'www-authenticate': 'Basic realm="Minaret", charset="UTF-8"' },
  })
