// Introspection (RFC 7662): a confidential app asks about a token of its own → its claims, or only that it is not active.
import type { Grant } from '../access/grant.ts'
import { sha256 } from '../base/secrets.ts'
import { sql } from '../db/sql.ts'
import { authenticateClient } from './clients/authenticate-client.ts'
import type { Client } from './clients/client.ts'
import { readClientCredentials } from './clients/client-credentials.ts'
import { countingRefusals } from './limits.ts'
import { invalidRequest, unauthorizedClient } from './oauth-fault.ts'
import { singleValues } from './parameters.ts'
import type { Provider } from './provider.ts'
import type { FormPost } from './token.ts'
import { looksLikeRefreshToken } from './tokens/refresh-token.ts'

export type Introspection = { readonly active: false } | { readonly active: true; readonly [claim: string]: unknown }

const inactive: Introspection = { active: false }

const ofAccessToken = (provider: Provider, grant: Grant): Introspection => ({
  active: true,
  iss: provider.baseUrl,
  aud: provider.baseUrl,
  sub: grant.userId ?? grant.clientId,
  client_id: grant.clientId,
  scope: grant.scopeKey,
  jti: grant.tokenId,
  exp: grant.expiresAt,
  token_type: 'bearer',
})

interface RefreshRow {
  readonly sub: string
  readonly scope: string
  readonly exp: number
}

const ofRefreshToken = async (provider: Provider, client: Client, token: string): Promise<Introspection> => {
  const row = await provider.database.first<RefreshRow>(sql`
    select grants.user_id as sub, array_to_string(token.scopes, ' ') as scope,
      extract(epoch from least(token.idle_expires_at, token.expires_at))::int as exp
    from minaret.refresh_tokens as token join minaret.grants on grants.id = token.grant_id
    where token.token_hash = ${sha256(token)} and token.app_id = ${client.appId} and token.used_at is null
      and token.revoked_at is null and grants.revoked_at is null
      and least(token.idle_expires_at, token.expires_at) > now()`)
  if (row === undefined) return inactive
  return { active: true, iss: provider.baseUrl, client_id: client.clientId, ...row }
}

/** RFC 7662 section 2.2: a token of another client is answered like an unknown one, so that nothing can be scanned. */
const introspect = async (provider: Provider, post: FormPost): Promise<Introspection> => {
  const form = singleValues(post.form)
  const client = await authenticateClient(provider.clients, readClientCredentials(post.authorization, form))
  if (client.kind !== 'confidential') throw unauthorizedClient('Introspection is for confidential apps.')
  if (form.token === undefined) throw invalidRequest('The request has no token.')
  if (looksLikeRefreshToken(form.token)) return ofRefreshToken(provider, client, form.token)
  const grant = await provider.access.authenticate(form.token).catch(() => undefined)
  const own = grant?.credential === 'access_token' && grant.clientId === client.clientId
  return own ? ofAccessToken(provider, grant) : inactive
}

export const introspectToken = (provider: Provider, post: FormPost): Promise<Introspection> =>
  countingRefusals(provider.limits, post.address, () => introspect(provider, post))
