// The redirect URI asked for → itself, where it is registered letter by letter; else a page, never a redirect.
import { invalidRequest } from '../oauth-fault.ts'

const LOOPBACK = /^http:\/\/(127\.0\.0\.1|\[::1\])(:\d{1,5})?(?=[/?]|$)/

/** RFC 8252 section 7.3: the port of a loopback address is the native app's choice of the moment. */
const withoutLoopbackPort = (uri: string): string => uri.replace(LOOPBACK, 'http://$1')

export const matchesRedirectUri = (asked: string, registered: string): boolean =>
  asked === registered ||
  (LOOPBACK.test(registered) && LOOPBACK.test(asked) && withoutLoopbackPort(asked) === withoutLoopbackPort(registered))

export interface RedirectUriRules {
  readonly registered: readonly string[]
  /** In production nothing but https is ever sent a code. */
  readonly httpsOnly: boolean
}

/** RFC 9700 section 2.1: exact string matching, except for the port of loopback addresses. */
export const checkRedirectUri = (asked: string | undefined, rules: RedirectUriRules): string => {
  if (asked === undefined) throw invalidRequest('The request has no redirect_uri.')
  if (!rules.registered.some(registered => matchesRedirectUri(asked, registered)))
    throw invalidRequest('The redirect_uri is not one of those that the app has registered.')
  if (rules.httpsOnly && !asked.startsWith('https://'))
    throw invalidRequest('The redirect_uri must begin with https://.')
  return asked
}
