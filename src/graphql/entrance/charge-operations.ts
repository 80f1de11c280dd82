// The operations of a request → charged to the caller, all together; refused if they cost more than one request may.
import { fault } from '../errors.ts'
import type { Asking, Prepared } from '../execute.ts'
import { limits } from '../limits/limits.ts'

export type Attempt = { readonly prepared: Prepared } | { readonly error: unknown }

/** What an operation is charged before anything is known about it: invalid ones count too. */
const ASKING = 1

const costOf = (one: Attempt): number => ('prepared' in one ? one.prepared.cached.plan.cost : 0)

export const chargeOperations = {
  /** @throws {Fault} `too_many_requests` */
  asked: (count: number, { allowance }: Asking): void => allowance?.take(ASKING * count),

  /** @throws {Fault} `too-costly` or `too_many_requests` for all of them together. */
  planned: (attempts: readonly Attempt[], { allowance }: Asking): void => {
    const cost = attempts.reduce((sum, one) => sum + costOf(one), 0)
    if (attempts.length > 1 && cost > limits.cost)
      throw fault(
        'too-costly',
        `The batch may read ${cost} rows; the maximum is ${limits.cost} for all its operations together. Lower \`limit\`, or send fewer at a time.`,
      )
    allowance?.take(cost)
  },
}
