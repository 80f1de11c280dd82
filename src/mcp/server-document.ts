// The base URL → a description of the endpoint for registries of MCP servers.
// https://github.com/modelcontextprotocol/registry
import { MCP_PATH } from '../access/resources.ts'

export const serverDocument = (baseUrl: string): object => ({
  $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
  name: `${new URL(baseUrl).hostname.split('.').reverse().join('.')}/minaret`,
  title: 'Minaret',
  description: "Prayer times, Jumu'ah and events of masjids; for staff, changes in two steps.",
  version: '1.0.0',
  websiteUrl: `${baseUrl}/docs/assistants`,
  remotes: [{ type: 'streamable-http', url: baseUrl + MCP_PATH }],
})
