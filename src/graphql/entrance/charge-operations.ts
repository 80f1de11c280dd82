// The operations of a request → charged to the caller, all together; refused if they cost more than one request may.
import { fault } from '../errors.ts'
import type { Asking, Prepared } from '../execute.ts'
import { limits } from '../limits/limits.ts'

export type Attempt = { readonly prepared: Prepared } | { readonly error: unknown }

/** What an operation is charged before anything is known about it: invalid ones count too. */
const ASKING = 1

/** What one operation is charged in all. */
export const chargeOf = ({ cost }: { readonly cost: number }): number => ASKING + cost

const costOf = (one: Attempt): number => ('prepared' in one ? one.prepared.cost : 0)
const writesOf = (one: Attempt): number => ('prepared' in one ? one.prepared.cached.plan.writes : 0)

const sumOf = (attempts: readonly Attempt[], of: (one: Attempt) => number): number =>
  attempts.reduce((sum, one) => sum + of(one), 0)

export const chargeOperations = {
  /** @throws {Fault} `too_many_requests` */
  asked: (count: number, { allowance }: Asking): void => allowance?.take(ASKING * count),

  /** Called after each, so that no more are planned than fit. @throws {Fault} `too-costly` */
  fit: (attempts: readonly Attempt[]): void => {
    if (attempts.length < 2) return
    const cost = sumOf(attempts, costOf)
    if (sumOf(attempts, writesOf) > limits.writes)
      throw fault(
        'too-costly',
        `The batch inserts, updates and deletes more than ${limits.writes} times; that is the maximum for all its operations together. Send fewer at a time.`,
      )
    if (cost > limits.cost)
      throw fault(
        'too-costly',
        `The batch may read ${cost} rows; the maximum is ${limits.cost} for all its operations together. Lower \`limit\`, or send fewer at a time.`,
      )
  },

  /** @throws {Fault} `too_many_requests` for all of them together. */
  planned: (attempts: readonly Attempt[], { allowance }: Asking): void => allowance?.take(sumOf(attempts, costOf)),
}
