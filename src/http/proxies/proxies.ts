// What stands between us and clients, as TRUST_PROXY declares it. A request → the client's address, and its id.
import type { IncomingMessage } from 'node:http'
import type { Logger } from '../../base/log.ts'
import type { TrustedProxies } from '../../base/trusted-proxies.ts'
import { type Arrived, clientAddress, peerOf } from './client-address.ts'
import { requestId } from './request-id.ts'
import { type Sighting, sightingOf } from './sighting.ts'
import { watchUndeclared } from './undeclared-proxy.ts'

export interface Proxies {
  /** For limits and logs. */
  readonly clientAddress: (arrived: Arrived) => string
  /** A request that is read for the first time → its id. */
  readonly receive: (arrived: Arrived) => string
  /** The same for all who ask about one request of Node's server. */
  readonly requestId: (request: IncomingMessage) => string
  readonly sighting: (arrived: Arrived) => Sighting
}

export const createProxies = (trusted: TrustedProxies, log: Logger): Proxies => {
  const known = new WeakMap<IncomingMessage, string>()
  const noteUndeclared = watchUndeclared(trusted, log)
  const receive = (arrived: Arrived): string => {
    noteUndeclared(arrived)
    return requestId(arrived.headers, () => trusted(peerOf(arrived), 0))
  }
  return {
    clientAddress: arrived => clientAddress(arrived, trusted),
    receive,
    requestId: request => {
      const before = known.get(request)
      if (before !== undefined) return before
      const id = receive(request)
      known.set(request, id)
      return id
    },
    sighting: arrived => sightingOf(arrived, trusted),
  }
}
