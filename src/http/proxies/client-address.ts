// A request → the client's address, as far as trusted proxies vouch for it.
import type { IncomingMessage } from 'node:http'
import { readIpAddress } from '../../base/ip-address.ts'
import type { TrustedProxies } from '../../base/trusted-proxies.ts'

export type Arrived = Pick<IncomingMessage, 'headers'> & {
  readonly socket: { readonly remoteAddress?: string | undefined; readonly remotePort?: number | undefined }
}

/** Whoever is at the other end of the connection. */
export const peerOf = ({ socket: { remoteAddress = '' } }: Arrived): string =>
  readIpAddress(remoteAddress) ?? remoteAddress

/** What `X-Forwarded-For` names, from the right: the nearest to us first. Each proxy appends the address of its peer. */
export const hopsOf = ({ headers: { 'x-forwarded-for': forwarded } }: Arrived): readonly string[] =>
  (Array.isArray(forwarded) ? forwarded.join(',') : (forwarded ?? '')).split(',').reverse()

interface Walk {
  readonly client: string
  /** How many hops of the header were believed. */
  readonly hops: number
}

/**
 * Everything left of what the outermost trusted proxy wrote may be forged by the client. An invalid address ends the walk:
 * the hop before it is the last one known.
 */
export const walkToClient = (arrived: Arrived, trusted: TrustedProxies): Walk => {
  let walk: Walk = { client: peerOf(arrived), hops: 0 }
  if (!trusted(walk.client, 0)) return walk
  for (const hop of hopsOf(arrived)) {
    const client = readIpAddress(hop)
    if (client === undefined) return walk
    walk = { client, hops: walk.hops + 1 }
    if (!trusted(client, walk.hops)) return walk
  }
  return walk
}

export const clientAddress = (arrived: Arrived, trusted: TrustedProxies): string =>
  walkToClient(arrived, trusted).client
