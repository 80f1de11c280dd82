// The requested redirect URI → itself, if it matches a registered one exactly; otherwise an error page, never a redirect.
import { isPort } from '../../base/port.ts'
import type { Client } from '../clients/client.ts'
import { invalidRequest } from '../oauth-fault.ts'

const LOOPBACK = /^http:\/\/(127\.0\.0\.1|\[::1\])(?::(\d+))?(?=[/?]|$)/
const LOOPBACK_OR_LOCALHOST = /^http:\/\/(127\.0\.0\.1|\[::1\]|localhost)(?::(\d+))?(?=[/?]|$)/

/** A loopback address without its port; undefined for any other address, and for an invalid port. */
const withoutLoopbackPort = (uri: string, loopback: RegExp): string | undefined => {
  const [origin, host, port] = loopback.exec(uri) ?? []
  if (origin === undefined || (port !== undefined && !isPort(port))) return undefined
  return `http://${host}${uri.slice(origin.length)}`
}

/** RFC 8252 section 7.3: a native app picks the port of its loopback address when it starts listening. */
export const matchesRedirectUri = (asked: string, registered: string, localhost = false): boolean => {
  if (asked === registered) return true
  const names = localhost ? LOOPBACK_OR_LOCALHOST : LOOPBACK
  const loopback = withoutLoopbackPort(asked, names)
  return loopback !== undefined && loopback === withoutLoopbackPort(registered, names)
}

export interface RedirectUriRules {
  readonly registered: readonly string[]
  /** In production, codes are only sent to https addresses. */
  readonly httpsOnly: boolean
  /** Any address of the loopback interface, and no other. */
  readonly loopback?: boolean
  /** Whether `localhost` counts as loopback: apps that describe themselves use it, and cannot be told not to. */
  readonly localhost?: boolean
}

export const redirectUriRules = (client: Client, { httpsOnly }: { readonly httpsOnly: boolean }): RedirectUriRules => ({
  registered: client.redirectUris,
  httpsOnly: httpsOnly && !client.development && client.host === null,
  loopback: client.development,
  localhost: client.host !== null,
})

const LONGEST_SHOWN = 300

/** Echoes only characters of a URI, so that a crafted link cannot put sentences on our page. */
const received = (asked: string): string =>
  /^[!#$%&'()*+,./0-9:;=?@A-Z[\]_a-z~-]+$/.test(asked) ? ` Received: ${asked.slice(0, LONGEST_SHOWN)}` : ''

export const isRegistered = (asked: string, registered: readonly string[], localhost = false): boolean =>
  registered.some(known => matchesRedirectUri(asked, known, localhost))

const ANY_LOOPBACK =
  /^http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost)(?::(\d{1,5}))?(?:[/?][!$%&'()*+,./0-9:;=?@A-Z[\]_a-z~-]*)?$/
const LONGEST = 2000

/** A development client returns to the developer's own machine, on whatever port and path the program under test listens. */
export const isLoopback = (uri: string): boolean => {
  const [matched, port] = ANY_LOOPBACK.exec(uri) ?? []
  return matched !== undefined && uri.length <= LONGEST && (port === undefined || isPort(port))
}

const checkLoopback = (asked: string): string => {
  if (isLoopback(asked)) return asked
  throw invalidRequest(
    `A development client returns only to http://127.0.0.1, http://[::1] or http://localhost, with any port and path.${received(asked)}`,
  )
}

/** RFC 9700 section 2.1: exact string matching, except for the port of loopback addresses. */
export const checkRedirectUri = (asked: string | undefined, rules: RedirectUriRules): string => {
  if (asked === undefined) throw invalidRequest('The request has no redirect_uri.')
  if (rules.loopback === true) return checkLoopback(asked)
  if (!isRegistered(asked, rules.registered, rules.localhost))
    throw invalidRequest(`The redirect_uri is not registered for this app.${received(asked)}`)
  if (rules.httpsOnly && !asked.startsWith('https://'))
    throw invalidRequest('The redirect_uri must begin with https://. Native apps use claimed https links.')
  return asked
}
