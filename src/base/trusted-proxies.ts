// Which proxies may name the client they forward for: a number of them, or the networks they are in.
import { BlockList, isIPv4 } from 'node:net'
import { readIpAddress } from './ip-address.ts'

/** Whether the proxy at this address, `hop` steps away from us, is one of ours. */
export type TrustedProxies = (address: string, hop: number) => boolean

export const noProxies: TrustedProxies = () => false

const proxiesByNumber =
  (count: number): TrustedProxies =>
  (_address, hop) =>
    hop < count

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIPv4(address) ? 'ipv4' : 'ipv6')

/** Undefined if one of them is neither an address nor a network such as 10.0.0.0/8. */
const proxiesInNetworks = (networks: readonly string[]): TrustedProxies | undefined => {
  const list = new BlockList()
  for (const network of networks) {
    const [, text = '', bits] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(network) ?? []
    const address = readIpAddress(text)
    if (address === undefined) return undefined
    const most = isIPv4(address) ? 32 : 128
    const prefix = bits === undefined ? most : Number(bits)
    if (prefix > most) return undefined
    list.addSubnet(address, prefix, familyOf(address))
  }
  return address => list.check(address, familyOf(address))
}

/** More is probably a mistake rather than a chain of proxies. */
const MOST_PROXIES = 16

/** The setting `TRUST_PROXY`: off, on (one proxy), a number of proxies, or networks separated by commas. */
export const readTrustedProxies = (text: string): TrustedProxies | undefined => {
  if (text === 'off') return noProxies
  if (text === 'on') return proxiesByNumber(1)
  if (/^\d+$/.test(text)) return Number(text) <= MOST_PROXIES ? proxiesByNumber(Number(text)) : undefined
  return proxiesInNetworks(text.split(',').map(network => network.trim()))
}
