// An IP address in any of its spellings → one spelling, and the network that limits count it by.
import { isIPv4, isIPv6 } from 'node:net'

/** "1.2.3.4:5678" and "[2001:db8::1]:443" as some proxies write them, and zones such as "fe80::1%eth0". */
const withoutPort = (text: string): string => {
  const bracketed = /^\[([^\]]+)\](?::\d+)?$/.exec(text)?.[1]
  if (bracketed !== undefined) return bracketed
  return /^[\d.]+:\d+$/.test(text) ? text.slice(0, text.indexOf(':')) : text
}

/** The eight groups of an IPv6 address. The URL parser knows every way of writing one (WHATWG URL, section 3.5). */
const groupsOf = (address: string): number[] => {
  const canonical = new URL(`http://[${address}]`).hostname.slice(1, -1)
  const [head = [], tail = []] = canonical.split('::').map(part => part.split(':').filter(group => group !== ''))
  const zeros = Array<string>(8 - head.length - tail.length).fill('0')
  return [...head, ...zeros, ...tail].map(group => Number.parseInt(group, 16))
}

const isMappedIpv4 = (groups: readonly number[]): boolean =>
  groups.slice(0, 5).every(group => group === 0) && groups[5] === 0xffff

const dotted = ([high = 0, low = 0]: readonly number[]): string =>
  [high >> 8, high & 255, low >> 8, low & 255].join('.')

/** Undefined if the text is not an address. `::ffff:a.b.c.d` is the IPv4 address in it (RFC 4291, section 2.5.5.2). */
export const readIpAddress = (text: string): string | undefined => {
  if (isIPv4(text)) return text
  const address = withoutPort(text.trim()).replace(/%.*$/, '')
  if (isIPv4(address)) return address
  if (!isIPv6(address)) return undefined
  const groups = groupsOf(address)
  return isMappedIpv4(groups) ? dotted(groups.slice(6)) : new URL(`http://[${address}]`).hostname.slice(1, -1)
}

/**
 * What a limit counts by: an IPv4 address, or the /64 of an IPv6 address. One customer is given at least a /64
 * (RFC 6177), and could otherwise use a new address for every attempt.
 */
export const networkOf = (text: string | undefined): string => {
  const address = readIpAddress(text ?? '')
  if (address === undefined) return text ?? ''
  if (isIPv4(address)) return address
  const prefix = groupsOf(address).slice(0, 4)
  return `${prefix.map(group => group.toString(16)).join(':')}::/64`
}

/**
 * About one provider of internet access: the /16 of an IPv4 address, the /32 of an IPv6 address. At home the address changes
 * from day to day, but not this.
 */
export const providerOf = (text: string | undefined): string => {
  const address = readIpAddress(text ?? '')
  if (address === undefined) return text ?? ''
  if (isIPv4(address)) return address.split('.').slice(0, 2).join('.')
  return groupsOf(address)
    .slice(0, 2)
    .map(group => group.toString(16))
    .join(':')
}
