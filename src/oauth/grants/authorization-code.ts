// Authorization code with PKCE (RFC 6749 section 4.1.3, RFC 7636 section 4.5): a code, once → tokens for a user.
import { sha256 } from '../../base/secrets.ts'
import { sql } from '../../db/sql.ts'
import { challengeOf } from '../authorize/check-pkce.ts'
import { stillGranted } from '../authorize/check-scope.ts'
import { invalidGrant, invalidRequest, invalidTarget } from '../oauth-fault.ts'
import { respondForUser } from '../token-response.ts'
import { newRefreshToken } from '../tokens/refresh-token.ts'
import { endGrant } from './end-grant.ts'
import type { GrantHandler, GrantParts, TokenRequest } from './grant-handler.ts'
import { noteIssued } from './note-issued.ts'
import type { CodeUse } from './redeem-codes.ts'

const readUse = ({ client, parameters, resource, thumbprint }: TokenRequest, refreshToken: string): CodeUse => {
  const { code, redirect_uri: redirectUri, code_verifier: verifier } = parameters
  if (code === undefined) throw invalidRequest('The request has no code.')
  if (redirectUri === undefined) throw invalidRequest('The request has no redirect_uri.')
  if (verifier === undefined) throw invalidRequest('The request has no code_verifier.')
  const challenge = challengeOf(verifier)
  if (challenge === undefined)
    throw invalidGrant('The code_verifier must have 43 to 128 letters, digits or "-", ".", "_", "~".')
  const bound = client.kind === 'public'
  return {
    codeHash: sha256(code),
    appId: client.appId,
    redirectUri,
    challenge,
    resource,
    refreshToken,
    thumbprint,
    bound,
  }
}

interface CodeState {
  readonly grantId: string
  readonly userId: string
  readonly used: boolean
  readonly expired: boolean
  readonly revoked: boolean
  readonly ownApp: boolean
  readonly sameRedirect: boolean
  readonly sameChallenge: boolean
  readonly sameKey: boolean
}

const findState = (parts: GrantParts, use: CodeUse): Promise<CodeState | undefined> =>
  parts.database.first<CodeState>(sql`
    select grant_id as "grantId", grants.user_id as "userId", used_at is not null as used, expires_at <= now() as expired,
      grants.revoked_at is not null as revoked, code.app_id = ${use.appId} as "ownApp",
      redirect_uri = ${use.redirectUri} as "sameRedirect", code_challenge = ${use.challenge} as "sameChallenge",
      code.dpop_jkt is null or code.dpop_jkt is not distinct from ${use.thumbprint ?? null} as "sameKey"
    from minaret.authorization_codes as code join minaret.grants on grants.id = code.grant_id
    where code_hash = ${use.codeHash}`)

const reasonFor = (state: CodeState | undefined): string => {
  if (state === undefined || !state.ownApp) return 'The code is unknown.'
  if (state.used) return 'The code was used already. Every token issued from it has been revoked.'
  if (state.expired) return 'The code has expired: it is valid for 60 seconds.'
  if (state.revoked) return 'The authorization was withdrawn.'
  if (!state.sameRedirect) return 'The redirect_uri differs from the one in the authorization request.'
  if (!state.sameChallenge) return 'The code_verifier does not match the code_challenge.'
  return 'The code is bound to another key: send a DPoP proof of the one that dpop_jkt named.'
}

/** Nothing else is wrong with the code. */
const isOtherResource = ({
  ownApp,
  used,
  expired,
  revoked,
  sameRedirect,
  sameChallenge,
  sameKey,
}: CodeState): boolean => ownApp && sameRedirect && sameChallenge && sameKey && !used && !expired && !revoked

const otherResource = (): Error => invalidTarget('The resource is not the one of the authorization request.')

/** RFC 6749 section 4.1.2: a replay is denied, and "all tokens previously issued based on that authorization code" are revoked. */
const refuse = async (parts: GrantParts, request: TokenRequest, use: CodeUse): Promise<never> => {
  const state = await findState(parts, use)
  if (state?.used === true && (await endGrant(parts.database, state.grantId)))
    parts.audit.note({
      action: 'oauth.code_replayed',
      actor: 'app',
      appId: request.client.appId,
      userId: state.userId,
      address: request.address,
      detail: { grant_id: state.grantId },
    })
  if (state !== undefined && isOtherResource(state)) throw otherResource()
  throw invalidGrant(reasonFor(state))
}

export const authorizationCodeGrant: GrantHandler = async (parts, request) => {
  const { client } = request
  const refreshToken = newRefreshToken()
  const use = readUse(request, refreshToken)
  const code = await parts.redeemCode(use)
  if (code === undefined) return refuse(parts, request, use)
  const { grantId, userId, authenticatedAt, amr, sid, resource } = code
  const scopes = stillGranted(code.scopes, client)
  noteIssued(parts, request, { grant: 'authorization_code', grantId, userId, scopes })
  const nonce = code.nonce ?? undefined
  return respondForUser(parts.issuer, client, {
    grantId,
    userId,
    scopes,
    authenticatedAt,
    amr,
    sid,
    nonce,
    resource,
    refreshToken,
    thumbprint: request.thumbprint,
  })
}
