// A request → how it looked when it arrived here: over which proxies, and whose address it counts for. For `minaret doctor`.
import { readIpAddress } from '../../base/ip-address.ts'
import type { TrustedProxies } from '../../base/trusted-proxies.ts'
import { type Arrived, hopsOf, peerOf, walkToClient } from './client-address.ts'
import { forwardingHeaders } from './undeclared-proxy.ts'

export interface Sighting {
  /** The other end of the connection. */
  readonly peer: string
  readonly port: number
  /** What `X-Forwarded-For` names, the nearest to us first. */
  readonly hops: readonly string[]
  /** Those that arrived, in lower case. */
  readonly headers: readonly string[]
  /** The address that the request counts for, and how many of the hops were believed. */
  readonly client: string
  readonly believed: number
  /** Whether anybody in the place of the last hop could have named another. */
  readonly believesAnybody: boolean
}

/** A header of a hundred hops is somebody's joke. */
const MOST_HOPS = 32
/** RFC 5737: nobody's, so that no list of networks names it. */
const NOBODY = '192.0.2.1'

export const sightingOf = (arrived: Arrived, trusted: TrustedProxies): Sighting => {
  const hops = hopsOf(arrived)
    .slice(0, MOST_HOPS)
    .map(hop => readIpAddress(hop))
    .filter(hop => hop !== undefined)
  const { client, hops: believed } = walkToClient(arrived, trusted)
  return {
    peer: peerOf(arrived),
    port: arrived.socket.remotePort ?? 0,
    hops,
    headers: forwardingHeaders.filter(name => arrived.headers[name] !== undefined),
    client,
    believed,
    believesAnybody: trusted(NOBODY, hops.length),
  }
}
