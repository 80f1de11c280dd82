// A request and its outcome → how long the response may be cached, and by whom.
import type { Outcome } from '../outcome.ts'
import type { Plan } from '../plan/plan.ts'
import type { Freshness } from './http-response.ts'
import { RESPONSE_AGE_SECONDS } from './response-cache.ts'
import type { IncomingRequest } from './transport.ts'

/** Whether everyone with the same credential would get the same: no personal data, and no row that depends on the user. */
const isPublic = ({ tables }: Plan): boolean =>
  [...tables].every(table => table.personal === undefined && !table.rowSecurity)

export interface Asked {
  readonly outcomes: readonly Outcome[]
  readonly batch: boolean
  /** Its key in the endpoint's response cache; undefined if it is not cached. */
  readonly key: string | undefined
}

/** A complete response without errors, and not about the request itself, is what a later caller would get too. */
export const freshnessOf = ({ method, headers }: IncomingRequest, { outcomes, batch, key }: Asked): Freshness => {
  const [outcome] = outcomes
  if (batch || outcome === undefined || 'error' in outcome) return 'no-store'
  if (outcome.result.cached.mutation !== undefined) return 'no-store'
  if (key !== undefined)
    return `${headers.authorization === undefined ? 'public' : 'private'}, max-age=${RESPONSE_AGE_SECONDS}`
  const isLasting = method === 'GET' && headers['x-minaret-explain'] === undefined
  return isLasting && isPublic(outcome.result.cached.plan) ? `private, max-age=${RESPONSE_AGE_SECONDS}` : 'no-store'
}
