// Credentials → the same, with whoever has no valid one charged to the budget of their network address.
import type { AddressBudget } from '../base/address-budget.ts'
import { Fault } from '../base/fault.ts'
import type { Credentials } from './credentials.ts'
import type { PresentingRequest } from './dpop/proof.ts'

const UNAUTHORIZED = 401
/** A refusal takes less than that. */
const POINTS = 2

const addressOf = ({ clientAddress = '' }: PresentingRequest): string =>
  typeof clientAddress === 'string' ? clientAddress : clientAddress()

/** @throws {Fault} `too_many_requests` in the place of 401, once the budget is spent. */
export const chargingStrangers = (credentials: Credentials, budget: AddressBudget): Credentials => ({
  ...credentials,
  authenticate: async request => {
    try {
      return await credentials.authenticate(request)
    } catch (error) {
      if (error instanceof Fault && error.status === UNAUTHORIZED) budget.charge(addressOf(request), POINTS)
      throw error
    }
  },
})
