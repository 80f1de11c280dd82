// What was asked and what came of it → how long the response may be kept, and by whom.
import type { Outcome } from '../outcome.ts'
import type { Plan } from '../plan/plan.ts'
import type { Freshness } from './http-response.ts'
import { RESPONSE_AGE_SECONDS } from './response-cache.ts'
import type { IncomingRequest } from './transport.ts'

/** Whether anybody with the same credential would get the same: no people in it, and no row that depends on who asks. */
const isPublic = ({ tables }: Plan): boolean =>
  [...tables].every(table => table.personal === undefined && !table.rowSecurity)

export interface Asked {
  readonly outcomes: readonly Outcome[]
  readonly batch: boolean
  /** Where the response cache of the endpoint keeps it; undefined where it does not. */
  readonly key: string | undefined
}

/** A whole response without errors, and not one about the request itself, is what a later caller would get as well. */
export const freshnessOf = ({ method, headers }: IncomingRequest, { outcomes, batch, key }: Asked): Freshness => {
  const [outcome] = outcomes
  if (batch || outcome === undefined || 'error' in outcome) return 'no-store'
  if (key !== undefined)
    return `${headers.authorization === undefined ? 'public' : 'private'}, max-age=${RESPONSE_AGE_SECONDS}`
  const isLasting = method === 'GET' && headers['x-minaret-explain'] === undefined
  return isLasting && isPublic(outcome.result.cached.plan) ? `private, max-age=${RESPONSE_AGE_SECONDS}` : 'no-store'
}
