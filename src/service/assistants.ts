// The parts → /mcp of each listener: with tokens of its own over the real data, and without a credential in the sandbox.
import { chargingStrangers } from '../access/charge-strangers.ts'
import { createMcpCredentials } from '../access/credentials.ts'
import type { Endpoint } from '../graphql/entrance/entrance.ts'
import { createMcpEntrance, type McpEntrance } from '../mcp/entrance.ts'
import type { ListenerName } from '../metrics/watching.ts'
import type { Parts } from './parts.ts'

export type Assistants = McpEntrance & { readonly baseUrl: string }

const sandboxAssistants = ({ sandboxUrl: baseUrl, database, clock }: Parts, endpoint: Endpoint): Assistants => {
  const { credentials } = endpoint
  return { ...createMcpEntrance({ endpoint, credentials, baseUrl, database, clock, challenges: false }), baseUrl }
}

const mainAssistants = (
  { access, baseUrl, budget, config, database, clock }: Parts,
  endpoint: Endpoint,
): Assistants => {
  const own = createMcpCredentials({ access, baseUrl, strongScopes: config.strongScopes })
  const credentials = chargingStrangers(own, budget)
  return { ...createMcpEntrance({ endpoint, credentials, baseUrl, database, clock, challenges: true }), baseUrl }
}

export const createAssistants = (name: ListenerName, parts: Parts, endpoint: Endpoint): Assistants =>
  name === 'main' ? mainAssistants(parts, endpoint) : sandboxAssistants(parts, endpoint)
