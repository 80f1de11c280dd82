// Client credentials (RFC 6749 section 4.4): a confidential app acts for itself. Needs no database access.
import { MCP_PATH } from '../../access/resources.ts'
import { dataScopes, scopeKeyOf } from '../../access/scopes.ts'
import { checkScope } from '../authorize/check-scope.ts'
import type { Client } from '../clients/client.ts'
import { invalidScope, unauthorizedClient } from '../oauth-fault.ts'
import { respondForApp } from '../token-response.ts'
import type { GrantHandler } from './grant-handler.ts'

/** Without `scope`: everything the app was granted, except scopes about a user. */
const chooseScope = (asked: string | undefined, client: Client): string => {
  if (asked === undefined) return scopeKeyOf(client.dataScopes)
  const scopes = checkScope(asked, client.scopes)
  const personal = scopes.find(scope => !dataScopes.includes(scope))
  if (personal !== undefined)
    throw invalidScope(`The scope "${personal}" needs a user; with client credentials an app acts for itself.`)
  return scopes.join(' ')
}

export const clientCredentialsGrant: GrantHandler = async (
  parts,
  { client, parameters, resource, thumbprint, address },
) => {
  if (client.kind !== 'confidential')
    throw unauthorizedClient('Client credentials are only for confidential apps; this app is public.')
  const scope = chooseScope(parameters.scope, client)
  if (scope === '') throw invalidScope('The app was granted no scope that works without a user.')
  parts.audit.tally(`${client.appId} ${address} ${scope}`, () => ({
    action: 'oauth.token_issued',
    actor: 'app',
    appId: client.appId,
    userId: undefined,
    address,
    detail: { grant: 'client_credentials', scope },
  }))
  return respondForApp(parts.issuer, client, { scope, thumbprint, resource: resource === MCP_PATH ? resource : null })
}
