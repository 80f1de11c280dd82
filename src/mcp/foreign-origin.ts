// The Host and Origin of a request → refused if a web page could have been led here by a name that is not ours (DNS rebinding).
import type { IncomingHttpHeaders } from 'node:http'
import { Fault } from '../base/fault.ts'

const loopback = /^(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?$/

const hostOf = (address: string): string => new URL(address).host

/** On the public internet any https page may call: no cookie is read here, and the token is not the page's to guess. */
const isTrustedOrigin = (origin: string, baseUrl: string): boolean => {
  if (!URL.canParse(origin)) return false
  const { protocol, host } = new URL(origin)
  return protocol === 'https:' || host === hostOf(baseUrl) || (protocol === 'http:' && loopback.test(host))
}

/** A service on loopback is only ever called by its own names; behind a proxy the host may have any. */
const isTrustedHost = (host: string | undefined, baseUrl: string): boolean =>
  !loopback.test(hostOf(baseUrl)) || (host !== undefined && loopback.test(host))

/** @throws {Fault} `bad_request` */
export const refuseForeignOrigin = ({ host, origin }: IncomingHttpHeaders, baseUrl: string): void => {
  if (isTrustedHost(host, baseUrl) && (origin === undefined || isTrustedOrigin(origin, baseUrl))) return
  throw new Fault({
    code: 'bad_request',
    status: 403,
    message: 'Pages of this origin may not call this endpoint: its Host or Origin header is not accepted.',
  })
}
