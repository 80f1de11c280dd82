// Config → how many subscriptions may be open at a time.
import type { Config } from '../config/config.ts'
import type { LiveRules } from '../graphql/live/admission.ts'

export const mainRules = ({ subscriptions, subscriptionsPerApp, subscriptionsPerAddress }: Config): LiveRules => ({
  inAll: subscriptions,
  perCredential: subscriptionsPerApp,
  perAddress: subscriptionsPerAddress,
})

/** Everybody shares its test key, so only addresses count. */
const SANDBOX_PER_ADDRESS = 20

export const sandboxRules = ({ subscriptions, rateLimits }: Config): LiveRules => ({
  inAll: subscriptions,
  perCredential: subscriptions,
  perAddress: rateLimits ? SANDBOX_PER_ADDRESS : subscriptions,
})
