// What stands between us and clients, as TRUST_PROXY declares it. A request → the client's address, and its id.
import type { IncomingMessage } from 'node:http'
import type { TrustedProxies } from '../../base/trusted-proxies.ts'
import { type Arrived, clientAddress, peerOf } from './client-address.ts'
import { requestId } from './request-id.ts'

export interface Proxies {
  /** For limits and logs. */
  readonly clientAddress: (arrived: Arrived) => string
  /** Of a request that is being read for the first time. */
  readonly newRequestId: (arrived: Arrived) => string
  /** The same for all who ask about one request of Node's server. */
  readonly requestId: (request: IncomingMessage) => string
}

export const createProxies = (trusted: TrustedProxies): Proxies => {
  const known = new WeakMap<IncomingMessage, string>()
  const newRequestId = (arrived: Arrived): string => requestId(arrived.headers, () => trusted(peerOf(arrived), 0))
  return {
    clientAddress: arrived => clientAddress(arrived, trusted),
    newRequestId,
    requestId: request => {
      const before = known.get(request)
      if (before !== undefined) return before
      const id = newRequestId(request)
      known.set(request, id)
      return id
    },
  }
}
