// The resources of the service that have tokens of their own (RFC 8707), and the audience of such tokens.

export const MCP_PATH = '/mcp'

/** A token for one of these opens nothing else, and no other token opens it. Undefined: the service as a whole. */
export type Resource = typeof MCP_PATH

export const audienceOf = (baseUrl: string, resource: Resource | undefined): string => `${baseUrl}${resource ?? ''}`

/** RFC 9728 section 3.1: the well-known part comes before the path of the resource. */
export const metadataAddress = (baseUrl: string, path: '' | '/v1/graphql' | Resource): string =>
  `${baseUrl}/.well-known/oauth-protected-resource${path}`
