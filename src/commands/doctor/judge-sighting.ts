// How the service saw a request of ours → whether it counts people by their own address. We sent no forwarding header, so
// whatever it saw was written by proxies on the way.
import type { Sighting } from '../../http/proxies/sighting.ts'
import { type Finding, fault, ok, warning } from './finding.ts'

export interface OwnEnd {
  readonly address: string
  readonly port: number
}

export interface Way {
  readonly check: string
  readonly url: string
}

const RESTART = 'for every process, and restart them'

const undeclared = ({ check, url }: Way, { client }: Sighting, proxies: readonly string[]): Finding =>
  fault(
    check,
    `Through ${url} the service sees the address of a proxy, ${client}, which TRUST_PROXY does not name: all people count as one client, and are refused together.`,
    `Set TRUST_PROXY=${[...new Set(proxies)].join(',')} (or the networks of these proxies) ${RESTART}.`,
  )

/** No `X-Forwarded-For` arrived, and the connection is not ours. */
const silent = ({ check, url }: Way, { peer, headers }: Sighting): Finding => {
  const remedy = `Let it send X-Forwarded-For, and set TRUST_PROXY=${peer} (or its network) ${RESTART}.`
  if (headers.length > 0)
    return fault(
      check,
      `Through ${url} the proxy at ${peer} names its clients by ${headers.join(' and ')}, and not by an X-Forwarded-For that can be read: all people count as one client.`,
      remedy,
    )
  // The service itself speaks no TLS.
  if (url.startsWith('https:'))
    return fault(
      check,
      `Through ${url} the proxy at ${peer} does not say for whom it forwards: all people count as one client, and are refused together.`,
      remedy,
    )
  return warning(
    check,
    `Through ${url} the service sees ${peer}, over a connection that is not ours: translated addresses, or a proxy that does not say for whom it forwards.`,
    `If it is a proxy: ${remedy[0]?.toLowerCase()}${remedy.slice(1)}`,
  )
}

const tooTrusting = ({ check, url }: Way, count: number): Finding =>
  warning(
    check,
    `Through ${url} there is ${count === 0 ? 'no proxy' : `no more than ${count}`} in front, and TRUST_PROXY would believe one further out: anybody can choose the address that limits count.`,
    `Set TRUST_PROXY to ${count === 0 ? 'off, or to ' : ''}the addresses or networks of the proxies in front ${RESTART}.`,
  )

export const judgeSighting = (way: Way, sighting: Sighting, own: OwnEnd): Finding => {
  const { peer, port, hops, client, believed, believesAnybody } = sighting
  if (believed < hops.length) return undeclared(way, sighting, [peer, ...hops.slice(0, -1)])
  if (hops.length === 0 && (peer !== own.address || port !== own.port)) return silent(way, sighting)
  if (believesAnybody) return tooTrusting(way, hops.length)
  return ok(way.check, `Through ${way.url} the service sees ${client}, the address of this machine.`)
}
