// An IP address → whether it is one of the public internet, and of nobody's own network.
import { BlockList, isIPv4 } from 'node:net'

/** @see https://www.iana.org/assignments/iana-ipv4-special-registry */
const special: readonly (readonly [network: string, prefix: number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
]

/** Of IPv6 only global unicast, less what carries an IPv4 address or documents: mapped and local addresses are outside it. */
const globalUnicast = ['2000::', 3] as const
const withinGlobal: readonly (readonly [network: string, prefix: number])[] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
]

const listOf = (networks: readonly (readonly [string, number])[], family: 'ipv4' | 'ipv6'): BlockList => {
  const list = new BlockList()
  for (const [network, prefix] of networks) list.addSubnet(network, prefix, family)
  return list
}

const refusedIpv4 = listOf(special, 'ipv4')
const globalIpv6 = listOf([globalUnicast], 'ipv6')
const refusedIpv6 = listOf(withinGlobal, 'ipv6')

export const isPublicAddress = (address: string): boolean =>
  isIPv4(address)
    ? !refusedIpv4.check(address, 'ipv4')
    : globalIpv6.check(address, 'ipv6') && !refusedIpv6.check(address, 'ipv6')
