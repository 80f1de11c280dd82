// A redirect URI as it was typed → the reason to refuse it, or undefined.
import { isPort } from '../base/port.ts'

export type Mode = 'production' | 'development'

export type RedirectUriFault =
  | 'not_absolute'
  | 'odd_characters'
  | 'too_long'
  | 'wildcard'
  | 'fragment'
  | 'user_info'
  | 'port'
  | 'custom_scheme'
  | 'custom_scheme_confidential'
  | 'not_https'

const LONGEST = 2000
/** RFC 8252, section 7.3: native apps may listen on the loopback interface. */
const loopback = new Set(['localhost', '127.0.0.1', '[::1]'])
/** RFC 3986: the characters of a URI; programs disagree about any other. */
const uriCharacters = /^[!#$%&'()*+,./0-9:;=?@A-Z[\]_a-z~-]+$/

/** The port as it was typed: `URL` would refuse the whole address, or leave out the usual one. */
const portOf = (uri: string): string => /^[^:/]+:\/\/[^/?#]*?:(\d+)(?=[/?#]|$)/.exec(uri)?.[1] ?? '443'

/** RFC 8252, section 7.1: a native app's own scheme is a domain name of its maker, reversed: it has a dot. */
const customScheme = /^[a-z][a-z0-9+-]*(?:\.[a-z0-9+-]+)+:\/{1,2}[^/]/

/** In production the contract is https: any other app on the device can claim the same scheme. */
const checkCustomScheme = (uri: string, mode: Mode, kind: string): RedirectUriFault | undefined => {
  if (uri.includes('#')) return 'fragment'
  if (uri.includes('@')) return 'user_info'
  if (mode === 'production') return 'custom_scheme'
  return kind === 'public' ? undefined : 'custom_scheme_confidential'
}

/** RFC 6749, section 3.1.2: "The redirection endpoint URI MUST be an absolute URI … MUST NOT include a fragment component." */
export const checkRedirectUri = (uri: string, mode: Mode, kind: string): RedirectUriFault | undefined => {
  if (uri.length > LONGEST) return 'too_long'
  if (uri.includes('*')) return 'wildcard'
  if (!uriCharacters.test(uri)) return 'odd_characters'
  if (!isPort(portOf(uri))) return 'port'
  if (customScheme.test(uri)) return checkCustomScheme(uri, mode, kind)
  if (!/^[a-z][a-z0-9+.-]*:\/\/[^/]/i.test(uri) || !URL.canParse(uri)) return 'not_absolute'
  const url = new URL(uri)
  if (uri.includes('#')) return 'fragment'
  if (url.username !== '' || url.password !== '' || url.host === '' || /^[^/]*\/\/[^/?]*@/.test(uri)) return 'user_info'
  if (url.protocol === 'https:') return undefined
  return mode === 'development' && url.protocol === 'http:' && loopback.has(url.hostname) ? undefined : 'not_https'
}
