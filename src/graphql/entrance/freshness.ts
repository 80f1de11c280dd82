// A request and its outcome → how long the response may be cached, and by whom.
import type { Outcome } from '../outcome.ts'
import type { Plan } from '../plan/plan.ts'
import type { CachedPlan } from '../structure.ts'
import type { Freshness } from './http-response.ts'
import { RESPONSE_AGE_SECONDS } from './response-cache.ts'
import type { IncomingRequest } from './transport.ts'

/** Whether everyone with the same credential would get the same: no personal data, and no row that depends on the user. */
const isPublic = ({ tables }: Plan): boolean =>
  [...tables].every(table => table.personal === undefined && !table.rowSecurity)

/** What the operator lets shared caches, such as a CDN, keep. */
export interface SharedCaching {
  readonly seconds: number
  /** Scopes whose data the operator declares open to everyone: a shared cache asks nobody for a credential. */
  readonly scopes: ReadonlySet<string>
}

export interface Asked {
  readonly outcomes: readonly Outcome[]
  readonly batch: boolean
  /** Its key in the endpoint's response cache; undefined if it is not cached. */
  readonly key: string | undefined
  /** The request named a persisted query: its URL is short and the same for all clients. */
  readonly persisted: boolean
  readonly shared: SharedCaching | undefined
}

const isOpen = ({ tables, functionScopes }: Plan, { scopes }: SharedCaching): boolean =>
  [...[...tables].map(table => table.scopes), ...functionScopes.values()].flat().every(scope => scopes.has(scope))

/** Only what is the same for everyone who may ask, and what everyone may ask for. */
const lastingFor = (cached: CachedPlan, { persisted, shared }: Asked): Freshness => {
  const own = `max-age=${RESPONSE_AGE_SECONDS}` as const
  const isShared = persisted && cached.aboutSchema.length === 0
  if (shared === undefined || !isShared || !isOpen(cached.plan, shared)) return `private, ${own}`
  return `public, ${own}, s-maxage=${shared.seconds}`
}

/** A complete response without errors, and not about the request itself, is what a later caller would get too. */
export const freshnessOf = ({ method, headers }: IncomingRequest, asked: Asked): Freshness => {
  const { outcomes, batch, key } = asked
  const [outcome] = outcomes
  if (batch || outcome === undefined || 'error' in outcome) return 'no-store'
  const { cached } = outcome.result
  if (cached.mutation !== undefined) return 'no-store'
  if (key !== undefined)
    return `${headers.authorization === undefined ? 'public' : 'private'}, max-age=${RESPONSE_AGE_SECONDS}`
  const isLasting = method === 'GET' && headers['x-minaret-explain'] === undefined
  return isLasting && isPublic(cached.plan) ? lastingFor(cached, asked) : 'no-store'
}
