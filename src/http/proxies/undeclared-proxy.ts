// Requests → one line in the log at the first that a proxy forwarded which TRUST_PROXY does not name, or a stranger who says so.
import type { Logger } from '../../base/log.ts'
import type { TrustedProxies } from '../../base/trusted-proxies.ts'
import { type Arrived, peerOf } from './client-address.ts'

/** What proxies add to a request; the first is the one that we read. */
export const forwardingHeaders = ['x-forwarded-for', 'forwarded', 'x-real-ip'] as const

type ForwardingHeader = (typeof forwardingHeaders)[number]

const spelled: Readonly<Record<ForwardingHeader, string>> = {
  'x-forwarded-for': 'X-Forwarded-For',
  forwarded: 'Forwarded',
  'x-real-ip': 'X-Real-IP',
}

/** Whoever sends the header without being a proxy is told nothing, and costs one line at most: the words are true of both. */
const wordsFor = (peer: string, header: string): string =>
  `a request from ${peer} has ${header}, which is ignored, as TRUST_PROXY does not name ${peer}. ` +
  `If that is a proxy of yours, set TRUST_PROXY=${peer} (or its network): until then all who come through it count as one client, ` +
  'and are refused together. If it is not, somebody sent the header themselves, and there is nothing to do. ' +
  'bin/minaret doctor finds out which. This is said once.'

/** Asked about every request until it has something to say. */
export const watchUndeclared = (trusted: TrustedProxies, log: Logger): ((arrived: Arrived) => void) => {
  let isSaid = false
  return arrived => {
    if (isSaid) return
    const header = forwardingHeaders.find(name => arrived.headers[name] !== undefined)
    if (header === undefined) return
    const peer = peerOf(arrived)
    if (trusted(peer, 0)) return
    isSaid = true
    log.warn({ peer, header: spelled[header] }, wordsFor(peer, spelled[header]))
  }
}
