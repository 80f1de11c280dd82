// A network address → what is left of its budget this minute, for everything that is asked without a credential.

import { durationInWords } from './in-words.ts'
import { networkOf } from './ip-address.ts'
import { type Counting, tooMany } from './limit.ts'

/** A tenth of the time of one thread; five hundred phones behind one address open a masjid's page within a minute. */
export const POINTS_PER_MINUTE = 6000

export interface AddressBudget {
  /** @throws {Fault} `too_many_requests` */
  charge(address: string, points: number): void
}

const none: AddressBudget = { charge: () => undefined }

/** @param counting undefined if limits are switched off */
export const createAddressBudget = (counting: Counting | undefined): AddressBudget => {
  if (counting === undefined) return none
  const budget = counting('strangersPerAddress', { tries: POINTS_PER_MINUTE, seconds: 60 })
  return {
    charge: (address, points) => {
      const network = networkOf(address)
      if (budget.spend(network, points)) return
      const now = budget.standing(network)
      throw tooMany(
        `Your network address has asked for too much without a credential. Try again in ${durationInWords(now.seconds, 'second')}.`,
        now,
      )
    },
  }
}
