// The parts → the token endpoint, as plain connections and Node's server hand requests to it.
import { createTokenEntrance } from '../api/oauth/token-entrance.ts'
import { createNodeTransport, type NodeTransport } from '../http/graphql/node-transport.ts'
import type { PlainPath } from '../http/plain/plain-connection.ts'
import type { Proxies } from '../http/proxies/proxies.ts'
import { positionTeller } from '../http/tell-position.ts'
import { paths } from '../oauth/discovery.ts'
import type { Parts } from './parts.ts'

export const createTokenEndpoint = (
  parts: Parts,
  proxies: Proxies,
): PlainPath & { readonly transport: NodeTransport } => {
  const { config, graphql, provider, log } = parts
  const { requestDeadlineMs: deadlineMs, databaseReadUrls } = config
  const tellPosition = databaseReadUrls.length > 0 ? positionTeller(graphql) : undefined
  const entrance = createTokenEntrance({ token: provider.token, deadlineMs, log, tellPosition })
  const path = paths.token
  const transport = createNodeTransport({ path, methods: ['POST'], entrance, proxies, log })
  return { path, entrance, streams: false, transport }
}
