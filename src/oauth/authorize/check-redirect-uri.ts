// The requested redirect URI → itself, if it matches a registered one exactly; otherwise an error page, never a redirect.
import { isPort } from '../../base/port.ts'
import { invalidRequest } from '../oauth-fault.ts'

const LOOPBACK = /^http:\/\/(127\.0\.0\.1|\[::1\])(?::(\d+))?(?=[/?]|$)/

/** A loopback address without its port; undefined for any other address, and for an invalid port. */
const withoutLoopbackPort = (uri: string): string | undefined => {
  const [origin, host, port] = LOOPBACK.exec(uri) ?? []
  if (origin === undefined || (port !== undefined && !isPort(port))) return undefined
  return `http://${host}${uri.slice(origin.length)}`
}

/** RFC 8252 section 7.3: a native app picks the port of its loopback address when it starts listening. */
export const matchesRedirectUri = (asked: string, registered: string): boolean => {
  if (asked === registered) return true
  const loopback = withoutLoopbackPort(asked)
  return loopback !== undefined && loopback === withoutLoopbackPort(registered)
}

export interface RedirectUriRules {
  readonly registered: readonly string[]
  /** In production, codes are only sent to https addresses. */
  readonly httpsOnly: boolean
}

const LONGEST_SHOWN = 300

/** Echoes only characters of a URI, so that a crafted link cannot put sentences on our page. */
const received = (asked: string): string =>
  /^[!#$%&'()*+,./0-9:;=?@A-Z[\]_a-z~-]+$/.test(asked) ? ` Received: ${asked.slice(0, LONGEST_SHOWN)}` : ''

export const isRegistered = (asked: string, registered: readonly string[]): boolean =>
  registered.some(known => matchesRedirectUri(asked, known))

/** RFC 9700 section 2.1: exact string matching, except for the port of loopback addresses. */
export const checkRedirectUri = (asked: string | undefined, rules: RedirectUriRules): string => {
  if (asked === undefined) throw invalidRequest('The request has no redirect_uri.')
  if (!isRegistered(asked, rules.registered))
    throw invalidRequest(`The redirect_uri is not registered for this app.${received(asked)}`)
  if (rules.httpsOnly && !asked.startsWith('https://'))
    throw invalidRequest('The redirect_uri must begin with https://. Native apps use claimed https links.')
  return asked
}
