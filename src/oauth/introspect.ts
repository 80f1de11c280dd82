// Introspection (RFC 7662): a confidential app asks about a token of its own → its claims, or just that it is inactive.
import { type Access, ifValid } from '../access/create-access.ts'
import type { Grant } from '../access/grant.ts'
import { audienceOf, MCP_PATH } from '../access/resources.ts'
import { sha256 } from '../base/secrets.ts'
import type { Queryable } from '../db/database.ts'
import { sql } from '../db/sql.ts'
import { authenticateClient } from './clients/authenticate-client.ts'
import type { Client } from './clients/client.ts'
import { readClientCredentials } from './clients/client-credentials.ts'
import type { ClientDirectory } from './clients/client-directory.ts'
import type { Issuer } from './issuer.ts'
import { countingRefusals, type OauthLimits } from './limits.ts'
import { invalidRequest, unauthorizedClient } from './oauth-fault.ts'
import { singleValues } from './parameters.ts'
import type { FormPost } from './token.ts'
import { confirmationOf, tokenTypeOf } from './tokens/access-token.ts'
import { looksLikeRefreshToken } from './tokens/refresh-token.ts'

/** The dependencies of introspection. */
export interface IntrospectParts {
  readonly issuer: Issuer
  readonly clients: ClientDirectory
  readonly limits: OauthLimits
  readonly access: Access
  readonly database: Queryable
}

export type Introspection = { readonly active: false } | { readonly active: true; readonly [claim: string]: unknown }

const inactive: Introspection = { active: false }

const ofAccessToken = ({ issuer }: IntrospectParts, grant: Grant, audience: string): Introspection => ({
  active: true,
  iss: issuer.baseUrl,
  aud: audience,
  sub: grant.userId ?? grant.clientId,
  client_id: grant.clientId,
  scope: grant.scopeKey,
  jti: grant.tokenId,
  exp: grant.expiresAt,
  acr: grant.acr,
  auth_time: grant.authenticatedAt,
  token_type: tokenTypeOf(grant.thumbprint),
  cnf: confirmationOf(grant.thumbprint),
})

interface RefreshRow {
  readonly sub: string
  readonly scope: string
  readonly exp: number
}

const ofRefreshToken = async (parts: IntrospectParts, client: Client, token: string): Promise<Introspection> => {
  const row = await parts.database.first<RefreshRow>(sql`
    select grants.user_id as sub, array_to_string(token.scopes, ' ') as scope,
      extract(epoch from least(token.idle_expires_at, token.expires_at))::int as exp
    from minaret.refresh_tokens as token join minaret.grants on grants.id = token.grant_id
    where token.token_hash = ${sha256(token)} and token.app_id = ${client.appId} and token.used_at is null
      and token.revoked_at is null and grants.revoked_at is null
      and least(token.idle_expires_at, token.expires_at) > now()`)
  if (row === undefined) return inactive
  return { active: true, iss: parts.issuer.baseUrl, client_id: client.clientId, ...row }
}

/** RFC 7662 section 2.2: another client's token gets the same response as an unknown one, so that tokens cannot be probed. */
const introspect = async (parts: IntrospectParts, post: FormPost): Promise<Introspection> => {
  const form = singleValues(post.form)
  const client = await authenticateClient(parts.clients, readClientCredentials(post.authorization, form))
  if (client.kind !== 'confidential') throw unauthorizedClient('Introspection is only for confidential apps.')
  if (form.token === undefined) throw invalidRequest('The request has no token.')
  if (looksLikeRefreshToken(form.token)) return ofRefreshToken(parts, client, form.token)
  const isOwn = (grant: Grant | undefined): grant is Grant =>
    grant?.credential === 'access_token' && grant.clientId === client.clientId
  const { baseUrl, sandboxUrl } = parts.issuer
  const grant = await parts.access.authenticateIfValid(form.token)
  if (grant !== undefined)
    return isOwn(grant) ? ofAccessToken(parts, grant, grant.environment === 'test' ? sandboxUrl : baseUrl) : inactive
  const assistants = await ifValid(parts.access.authenticateMcp(form.token, 'not-asked'))
  return isOwn(assistants) ? ofAccessToken(parts, assistants, audienceOf(baseUrl, MCP_PATH)) : inactive
}

export const introspectToken = (parts: IntrospectParts, post: FormPost): Promise<Introspection> =>
  countingRefusals(parts.limits, post.address, () => introspect(parts, post))
