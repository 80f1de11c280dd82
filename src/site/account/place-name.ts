// The address of a session → where that is, as far as an address tells: this network, a local one, or another.
import { networkOf, readIpAddress } from '../../base/ip-address.ts'
import { isPublicAddress } from '../../outbound/public-address.ts'
import type { View } from '../frame/view.ts'
import { fill } from '../pieces/fill.ts'
import type { Html } from '../pieces/html.ts'

/** Undefined if the address is not known. `here`: of the browser that looks. */
export const placeName = (view: View, address: string | undefined, here: string | undefined): Html | undefined => {
  const { from, fromHere, fromLocal } = view.texts.sessions
  if (address === undefined) return undefined
  if (here !== undefined && networkOf(address) === networkOf(here)) return fill(fromHere, { address })
  const known = readIpAddress(address)
  return fill(known === undefined || isPublicAddress(known) ? from : fromLocal, { address })
}
