// A request → the client's address, as far as trusted proxies vouch for it.
import type { IncomingMessage } from 'node:http'
import { readIpAddress } from '../../base/ip-address.ts'
import type { TrustedProxies } from '../../base/trusted-proxies.ts'

export type Arrived = Pick<IncomingMessage, 'headers'> & {
  readonly socket: { readonly remoteAddress?: string | undefined }
}

/** Whoever is at the other end of the connection. */
export const peerOf = ({ socket: { remoteAddress = '' } }: Arrived): string =>
  readIpAddress(remoteAddress) ?? remoteAddress

/**
 * `X-Forwarded-For` is read from the right: each proxy appends the address of its peer, so everything left of what the
 * outermost trusted proxy wrote may be forged by the client. An invalid address ends the walk: the hop before it is the
 * last one known.
 */
export const clientAddress = (arrived: Arrived, trusted: TrustedProxies): string => {
  let client = peerOf(arrived)
  if (!trusted(client, 0)) return client
  const forwarded = arrived.headers['x-forwarded-for']
  const hops = (Array.isArray(forwarded) ? forwarded.join(',') : (forwarded ?? '')).split(',').reverse()
  for (const [index, hop] of hops.entries()) {
    const address = readIpAddress(hop)
    if (address === undefined) return client
    client = address
    if (!trusted(client, index + 1)) return client
  }
  return client
}
