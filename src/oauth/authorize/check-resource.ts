// `resource` (RFC 8707) → the resource that the tokens are for; this server issues none for others.
import { MCP_PATH, type Resource } from '../../access/resources.ts'
import { invalidTarget } from '../oauth-fault.ts'

const wholeService = (baseUrl: string): readonly string[] => [baseUrl, `${baseUrl}/`, `${baseUrl}/v1/graphql`]

/** Undefined: the service as a whole. */
export const checkResource = (resources: readonly string[], baseUrl: string): Resource | undefined => {
  const mcp = baseUrl + MCP_PATH
  if (resources.length > 0 && resources.every(resource => resource === mcp)) return MCP_PATH
  if (resources.includes(mcp)) throw invalidTarget(`A token for ${mcp} is for nothing else: ask for it alone.`)
  if (!resources.every(resource => wholeService(baseUrl).includes(resource)))
    throw invalidTarget(`The only resources are ${baseUrl}, ${baseUrl}/v1/graphql and ${mcp}.`)
  return undefined
}

/** What a token request names: nothing, the service as a whole, or one of its resources. */
export type AskedResource = '' | '/' | Resource

/** RFC 8707 section 2.2. Empty if there is no `resource`: the tokens are then for what was authorized. */
export const askedResource = (resources: readonly string[], baseUrl: string): AskedResource => {
  const resource = checkResource(resources, baseUrl)
  return resources.length === 0 ? '' : (resource ?? '/')
}
