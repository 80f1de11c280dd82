// The headers and address of a visit → the country its browser is set to, and the network it is counted by.
import { networkOf } from '../base/ip-address.ts'
import { isPublicAddress } from '../outbound/public-address.ts'

const REGION = /^[a-z]{2,3}(?:-[a-z]{4})?-([a-z]{2})$/i

/** `ar-EG,ar;q=0.9` → `EG`: the first language that names a country. */
export const regionOf = (acceptLanguage: string | undefined): string | undefined => {
  for (const item of (acceptLanguage ?? '').slice(0, 500).split(',')) {
    const region = REGION.exec(item.split(';', 1)[0]?.trim() ?? '')?.[1]
    if (region !== undefined) return region.toUpperCase()
  }
  return undefined
}

/** Private addresses are not counted: behind a proxy that is not trusted, everybody would have the same. */
export const countedNetwork = (address: string | undefined): string | undefined =>
  address !== undefined && isPublicAddress(address) ? networkOf(address) : undefined
