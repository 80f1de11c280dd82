// The outcome of an authorization → where the browser is redirected: the redirect URI with its parameters.
import type { Fault } from '../../base/fault.ts'

export interface Destination {
  readonly redirectUri: string
  readonly state: string | undefined
  readonly issuer: string
}

/** RFC 6749 section 3.1.2: an existing query of the redirect URI "MUST be retained". RFC 9207 section 2: `iss`. */
const locationOf = ({ redirectUri, state, issuer }: Destination, outcome: Readonly<Record<string, string>>): string => {
  const parameters = new URLSearchParams({ ...outcome, ...(state === undefined ? {} : { state }), iss: issuer })
  return `${redirectUri}${redirectUri.includes('?') ? '&' : '?'}${parameters}`
}

export const codeLocation = (destination: Destination, code: string): string => locationOf(destination, { code })

export const faultLocation = (destination: Destination, { code, message }: Fault): string =>
  locationOf(destination, { error: code, error_description: message })
