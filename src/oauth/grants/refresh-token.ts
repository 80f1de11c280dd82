// Refresh token (RFC 6749 section 6), rotated on every use: a token → its successor and a new access token.
import { sha256 } from '../../base/secrets.ts'
import { sql } from '../../db/sql.ts'
import { checkScope, stillGranted } from '../authorize/check-scope.ts'
import { REFRESH_REPEAT_SECONDS } from '../lifetimes.ts'
import { invalidGrant, invalidRequest, invalidScope, invalidTarget } from '../oauth-fault.ts'
import { respondForGrant } from '../token-response.ts'
import { successorOf } from '../tokens/refresh-token.ts'
import { endGrant } from './end-grant.ts'
import type { GrantHandler, GrantParts, TokenRequest } from './grant-handler.ts'
import { noteRefreshed } from './note-issued.ts'
import type { RefreshUse } from './rotate-refresh-tokens.ts'

const readUse = (
  parts: GrantParts,
  { client, parameters, resource, thumbprint, address }: TokenRequest,
): RefreshUse => {
  const { refresh_token: token, scope } = parameters
  if (token === undefined) throw invalidRequest('The request has no refresh_token.')
  return {
    tokenHash: sha256(token),
    successor: successorOf(token, parts.refreshSecret),
    appId: client.appId,
    narrowed: scope === undefined ? [] : checkScope(scope, client.scopes),
    resource,
    thumbprint,
    bound: client.kind === 'public',
    address,
  }
}

interface TokenState {
  readonly grantId: string
  readonly userId: string | null
  readonly dead: boolean
  readonly reused: boolean
  /** What it is for; `/` is the service as a whole. */
  readonly resource: string
  readonly sameKey: boolean
}

/** Another client's token counts as unknown: RFC 6749 section 6 binds it to the client it was issued to. */
const findState = (parts: GrantParts, use: RefreshUse): Promise<TokenState | undefined> =>
  parts.database.first<TokenState>(sql`
    select grant_id as "grantId", grants.user_id as "userId",
      grants.revoked_at is not null or token.revoked_at is not null
        or least(token.idle_expires_at, token.expires_at) <= now() as dead,
      coalesce(token.used_at <= now() - make_interval(secs => ${REFRESH_REPEAT_SECONDS}), false) as reused,
      coalesce(grants.resource, '/') as resource,
      token.dpop_jkt is null or token.dpop_jkt is not distinct from ${use.thumbprint ?? null} as "sameKey"
    from minaret.refresh_tokens as token join minaret.grants on grants.id = token.grant_id
    where token.token_hash = ${use.tokenHash} and token.app_id = ${use.appId}`)

/** RFC 9700 section 4.14.2: reuse means that someone else has the token, so the whole family is revoked. */
const refuse = async (parts: GrantParts, request: TokenRequest, use: RefreshUse): Promise<never> => {
  const state = await findState(parts, use)
  if (state === undefined) throw invalidGrant('The refresh token is unknown.')
  if (state.dead) throw invalidGrant('The refresh token has expired or was revoked.')
  // Whoever cannot prove the key can use nothing, and so does no harm: the family lives on.
  if (!state.sameKey) throw invalidGrant('The refresh token is bound to a key: send a DPoP proof of that key.')
  if (!state.reused && use.resource !== '' && use.resource !== state.resource)
    throw invalidTarget('The resource is not the one that was authorized.')
  if (!state.reused) throw invalidScope('A refresh cannot widen the scope that was granted.')
  if (await endGrant(parts.database, state.grantId))
    parts.audit.note({
      action: 'oauth.refresh_reused',
      actor: 'app',
      appId: request.client.appId,
      userId: state.userId ?? undefined,
      address: request.address,
      detail: { grant_id: state.grantId },
    })
  throw invalidGrant('The refresh token was used before. Every token of this authorization has been revoked.')
}

export const refreshTokenGrant: GrantHandler = async (parts, request) => {
  const { client } = request
  const use = readUse(parts, request)
  const rotated = await parts.rotateRefreshToken(use)
  if (rotated === undefined) return refuse(parts, request, use)
  const { grantId, userId, authenticatedAt, amr, sid, resource, moved } = rotated
  const scopes = stillGranted(use.narrowed.length === 0 ? rotated.scopes : use.narrowed, client)
  noteRefreshed(parts, request, { grantId, userId, scopes, moved })
  // OpenID Connect Core section 12.2: a refreshed ID token "SHOULD NOT have a nonce Claim".
  const shown = { nonce: undefined, refreshToken: use.successor, thumbprint: request.thumbprint }
  const grant = { grantId, userId, scopes, authenticatedAt, amr, sid, resource, ...shown }
  return respondForGrant(parts.issuer, client, grant)
}
