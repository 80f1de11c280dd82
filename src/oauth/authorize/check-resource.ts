// `resource` (RFC 8707): this server is the only resource; it issues no tokens for others.
import { invalidTarget } from '../oauth-fault.ts'

export const checkResource = (resources: readonly string[], baseUrl: string): void => {
  const known = [baseUrl, `${baseUrl}/`, `${baseUrl}/v1/graphql`]
  if (!resources.every(resource => known.includes(resource)))
    throw invalidTarget(`The only resources are ${baseUrl} and ${baseUrl}/v1/graphql.`)
}
