// An endpoint of tables → the same with Relay's view of them: credentials, limits, allowances and records are shared.
import type { Endpoint } from '../entrance/entrance.ts'
import { relayEngine } from './relay-view.ts'

/** Without the sandbox's response cache: its keys are the bytes of a POST, which mean something else in the other view. */
export const relayEndpoint = (endpoint: Endpoint): Endpoint => ({
  ...endpoint,
  engine: relayEngine(endpoint.engine),
  keeping: { ...endpoint.keeping, cache: undefined },
})
