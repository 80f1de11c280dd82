// The base URL → who we are to an authenticator. WebAuthn knows hosts by name only.
import { isIP } from 'node:net'

export interface RelyingParty {
  readonly id: string
  readonly origin: string
}

/** Undefined if passkeys cannot be used here: at an IP address. */
export const relyingPartyOf = (baseUrl: string): RelyingParty | undefined => {
  const { hostname, origin } = new URL(baseUrl)
  return isIP(hostname.replaceAll(/[[\]]/g, '')) === 0 ? { id: hostname, origin } : undefined
}
