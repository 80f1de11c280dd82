// The client_id of an authorization request → its approved client; otherwise an error page, never a redirect.
import type { Client } from '../clients/client.ts'
import { invalidRequest } from '../oauth-fault.ts'
import type { AuthorizationRequest } from './authorization-request.ts'
import type { AuthorizeParts } from './authorize-parts.ts'
import { checkRedirectUri, redirectUriRules } from './check-redirect-uri.ts'

/** RFC 6749 section 4.1.2.1: the server "MUST NOT automatically redirect the user-agent" for these. */
export const requireClient = async (
  parts: Pick<AuthorizeParts, 'introduce'>,
  clientId: string | undefined,
  address?: string,
): Promise<Client> => {
  if (clientId === undefined) throw invalidRequest('The request has no client_id.')
  const client = await parts.introduce(clientId, address)
  if (client === undefined) throw invalidRequest('There is no app with this client_id.')
  if (client.state === 'suspended') throw invalidRequest('This app is suspended.')
  if (client.state !== 'approved') throw invalidRequest('This app is not approved.')
  return client
}

/** For a stored request: checks that its client is still approved and its redirect URI still registered. */
export const requireClientOf = async (parts: AuthorizeParts, request: AuthorizationRequest): Promise<Client> => {
  const client = await requireClient(parts, request.clientId)
  checkRedirectUri(request.redirectUri, redirectUriRules(client, parts))
  return client
}
