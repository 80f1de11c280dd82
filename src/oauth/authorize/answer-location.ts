// An outcome of the authorization → where the browser goes with it: the redirect URI and its parameters.
import type { Fault } from '../../base/fault.ts'

export interface Destination {
  readonly redirectUri: string
  readonly state: string | undefined
  readonly issuer: string
}

/** RFC 6749 section 3.1.2: a query that the redirect URI has already "MUST be retained". RFC 9207 section 2: `iss`. */
const locationOf = ({ redirectUri, state, issuer }: Destination, outcome: Readonly<Record<string, string>>): string => {
  const parameters = new URLSearchParams({ ...outcome, ...(state === undefined ? {} : { state }), iss: issuer })
  return `${redirectUri}${redirectUri.includes('?') ? '&' : '?'}${parameters}`
}

export const codeLocation = (destination: Destination, code: string): string => locationOf(destination, { code })

export const faultLocation = (destination: Destination, { code, message }: Fault): string =>
  locationOf(destination, { error: code, error_description: message })
