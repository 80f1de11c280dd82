// The outcome of an authorization → how the browser takes it to the app: in the query of the redirect URI, or in a form.
import type { Fault } from '../../base/fault.ts'
import type { ResponseMode } from './check-response-type.ts'

export interface Destination {
  readonly redirectUri: string
  readonly state: string | undefined
  readonly issuer: string
  readonly responseMode: ResponseMode
}

type Parameters = Readonly<Record<string, string>>

export type Return =
  | { readonly kind: 'return'; readonly location: string }
  /** OAuth 2.0 Form Post Response Mode, section 2. */
  | { readonly kind: 'post'; readonly redirectUri: string; readonly parameters: Parameters }

/** RFC 6749 section 3.1.2: an existing query of the redirect URI "MUST be retained". RFC 9207 section 2: `iss`. */
const returnWith = ({ redirectUri, state, issuer, responseMode }: Destination, outcome: Parameters): Return => {
  const parameters = { ...outcome, ...(state === undefined ? {} : { state }), iss: issuer }
  if (responseMode === 'form_post') return { kind: 'post', redirectUri, parameters }
  const query = new URLSearchParams(parameters)
  return { kind: 'return', location: `${redirectUri}${redirectUri.includes('?') ? '&' : '?'}${query}` }
}

export const returnCode = (destination: Destination, code: string): Return => returnWith(destination, { code })

export const returnFault = (destination: Destination, { code, message }: Fault): Return =>
  returnWith(destination, { error: code, error_description: message })
