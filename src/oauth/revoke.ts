// The revocation endpoint (RFC 7009): a client's token → revoked everywhere; anything else → the same success response.
import { type Access, ifValid } from '../access/create-access.ts'
import type { AuditTrail } from '../audit/audit-trail.ts'
import { sha256 } from '../base/secrets.ts'
import { authenticateClient } from './clients/authenticate-client.ts'
import type { Client } from './clients/client.ts'
import { readClientCredentials } from './clients/client-credentials.ts'
import type { ClientDirectory } from './clients/client-directory.ts'
import type { EndTokens } from './end-tokens.ts'
import { countingRefusals, type OauthLimits } from './limits.ts'
import { invalidClient, invalidRequest } from './oauth-fault.ts'
import { singleValues } from './parameters.ts'
import type { FormPost } from './token.ts'
import { looksLikeRefreshToken } from './tokens/refresh-token.ts'

/** The dependencies of the revocation endpoint. */
export interface RevokeParts {
  readonly clients: ClientDirectory
  readonly limits: OauthLimits
  readonly access: Access
  readonly endTokens: EndTokens
  readonly audit: AuditTrail
}

/** What was revoked, for the audit log. */
interface Ended {
  readonly kind: 'refresh_token' | 'access_token'
  readonly userId: string | undefined
}

const revokeRefreshToken = async (parts: RevokeParts, client: Client, token: string): Promise<Ended | undefined> => {
  const ended = await parts.endTokens.refreshToken({ tokenHash: sha256(token), appId: client.appId })
  return ended === undefined ? undefined : { kind: 'refresh_token', userId: ended.userId }
}

/** A token that is malformed, expired or revoked already needs no revoking. Those of screens and assistants have audiences of their own. */
const findAccessToken = async ({ access }: RevokeParts, token: string) =>
  (await access.authenticateIfValid(token)) ??
  (await ifValid(access.authenticateMcp(token, 'not-asked'))) ??
  (await ifValid(access.authenticateScreen(token)))

const revokeAccessToken = async (parts: RevokeParts, client: Client, token: string): Promise<Ended | undefined> => {
  const found = await findAccessToken(parts, token)
  if (found?.tokenId === undefined || found.clientId !== client.clientId) return undefined
  await parts.endTokens.accessToken(found.tokenId)
  return { kind: 'access_token', userId: found.userId }
}

/**
 * Whoever holds a token may revoke it, so a client_id is enough here, even for a confidential app: the worst a thief can
 * do is revoke what was stolen. If a secret is sent, it must be right.
 */
const findClient = async (
  parts: RevokeParts,
  post: FormPost,
  form: ReturnType<typeof singleValues>,
): Promise<Client> => {
  const presented = readClientCredentials(post.authorization, form)
  if (presented.secret !== undefined || presented.assertion !== undefined)
    return authenticateClient(parts.clients, presented)
  const client = await parts.clients.find(presented.clientId)
  if (client === undefined) throw invalidClient('The client is unknown.')
  return client
}

/** `token_type_hint` is not needed: the format of a token tells its type. */
const revoke = async (parts: RevokeParts, post: FormPost): Promise<void> => {
  const form = singleValues(post.form)
  if (form.token === undefined) throw invalidRequest('The request has no token.')
  const client = await findClient(parts, post, form)
  const end = looksLikeRefreshToken(form.token) ? revokeRefreshToken : revokeAccessToken
  const ended = await end(parts, client, form.token)
  if (ended === undefined) return
  parts.audit.note({
    action: 'oauth.token_revoked',
    actor: 'app',
    appId: client.appId,
    userId: ended.userId,
    address: post.address,
    detail: { token: ended.kind },
  })
}

export const revokeToken = (parts: RevokeParts, post: FormPost): Promise<void> =>
  countingRefusals(parts.limits, post.address, () => revoke(parts, post))
