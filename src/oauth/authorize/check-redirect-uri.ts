// The redirect URI asked for → itself, where it is registered letter by letter; else a page, never a redirect.
import { isPort } from '../../base/port.ts'
import { invalidRequest } from '../oauth-fault.ts'

const LOOPBACK = /^http:\/\/(127\.0\.0\.1|\[::1\])(?::(\d+))?(?=[/?]|$)/

/** A loopback address without its port; undefined for any other address, and for a port that does not exist. */
const withoutLoopbackPort = (uri: string): string | undefined => {
  const [origin, host, port] = LOOPBACK.exec(uri) ?? []
  if (origin === undefined || (port !== undefined && !isPort(port))) return undefined
  return `http://${host}${uri.slice(origin.length)}`
}

/** RFC 8252 section 7.3: the port of a loopback address is the native app's choice of the moment. */
export const matchesRedirectUri = (asked: string, registered: string): boolean => {
  if (asked === registered) return true
  const loopback = withoutLoopbackPort(asked)
  return loopback !== undefined && loopback === withoutLoopbackPort(registered)
}

export interface RedirectUriRules {
  readonly registered: readonly string[]
  /** In production nothing but https is ever sent a code. */
  readonly httpsOnly: boolean
}

const LONGEST_SHOWN = 300

/** Only what can stand in an address is repeated, so that nobody's link can put sentences on our page. */
const received = (asked: string): string =>
  /^[!#$%&'()*+,./0-9:;=?@A-Z[\]_a-z~-]+$/.test(asked) ? ` Received: ${asked.slice(0, LONGEST_SHOWN)}` : ''

export const isRegistered = (asked: string, registered: readonly string[]): boolean =>
  registered.some(known => matchesRedirectUri(asked, known))

/** RFC 9700 section 2.1: exact string matching, except for the port of loopback addresses. */
export const checkRedirectUri = (asked: string | undefined, rules: RedirectUriRules): string => {
  if (asked === undefined) throw invalidRequest('The request has no redirect_uri.')
  if (!isRegistered(asked, rules.registered))
    throw invalidRequest(`The redirect_uri is not one of those that the app has registered.${received(asked)}`)
  if (rules.httpsOnly && !asked.startsWith('https://'))
    throw invalidRequest('The redirect_uri must begin with https://. Native apps use claimed https links.')
  return asked
}
