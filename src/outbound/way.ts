// An address that somebody entered → the way there, checked: https without a port, a name, and every address it has is public.
// The connection is then pinned to the address that was checked.
import { lookup } from 'node:dns/promises'
import type { RequestOptions } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { isWebAddress } from '../base/web-address.ts'
import type { OutboundSpan, TraceOutbound } from '../tracing/tracer.ts'
import { FetchRefused } from './fetch-refused.ts'
import { isPublicAddress } from './public-address.ts'

export interface Resolved {
  readonly address: string
  readonly family: number
}

/** How the outside world is reached; tests have their own. */
export interface Dial {
  readonly resolve: (host: string) => Promise<readonly Resolved[]>
  readonly mayReach: (address: string) => boolean
  /** Undefined: as long as the purpose takes. */
  readonly timeoutMs?: number
  readonly connection: Pick<RequestOptions, 'port' | 'ca'>
  /** Undefined if there are no traces. */
  readonly trace?: TraceOutbound
}

export const publicDial: Dial = {
  resolve: host => lookup(host, { all: true }),
  mayReach: isPublicAddress,
  connection: {},
}

/** RFC 6761, RFC 6762, RFC 8375 and ICANN's `.internal`: names that mean this machine or network. So does one without a dot. */
const isPublicName = (hostname: string): boolean =>
  /\.[^.]+$/.test(hostname) && !/\.(localhost|local|internal|home\.arpa)\.?$/.test(hostname)

/** @throws FetchRefused unless it is https, without a port, at a name. */
export const checkAddress = (text: string): URL => {
  if (!isWebAddress(text)) throw new FetchRefused('not_https')
  const url = new URL(text)
  if (url.port !== '') throw new FetchRefused('port')
  if (isIP(url.hostname.replace(/^\[|\]$/g, '')) !== 0 || !isPublicName(url.hostname)) throw new FetchRefused('no_host')
  return url
}

/** One that is not public among several is enough: the name is then in the hands of somebody who tries. */
export const chooseAddress = async ({ hostname }: URL, { resolve, mayReach }: Dial): Promise<Resolved> => {
  const found = await resolve(hostname).catch(() => [])
  const [first] = found
  if (first === undefined) throw new FetchRefused('host_not_found', { mayPass: true })
  if (!found.every(({ address }) => mayReach(address))) throw new FetchRefused('not_public')
  return first
}

/** Whatever name the connection asks for, it gets the address that was checked. */
export const pinnedTo =
  ({ address, family }: Resolved): LookupFunction =>
  (_host, options, callback) =>
    options.all === true ? callback(null, [{ address, family }]) : callback(null, address, family)

export const traceHeaders = (span: OutboundSpan | undefined): { readonly traceparent?: string } =>
  span === undefined ? {} : { traceparent: span.traceparent }

/** Rejects with the signal's reason when it is aborted first. */
export const inTime = async <T>(work: Promise<T>, signal: AbortSignal): Promise<T> => {
  const late = Promise.withResolvers<never>()
  const onAbort = (): void => late.reject(signal.reason)
  signal.addEventListener('abort', onAbort, { once: true })
  return Promise.race([work, late.promise]).finally(() => signal.removeEventListener('abort', onAbort))
}
