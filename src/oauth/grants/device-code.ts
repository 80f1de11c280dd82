// Device code (RFC 8628 section 3.4): a device polls until a person has decided → tokens, once.
import { MCP_PATH } from '../../access/resources.ts'
import { sha256 } from '../../base/secrets.ts'
import { stillGranted } from '../authorize/check-scope.ts'
import { type PolledCode, type PollOutcome, pollDeviceCode } from '../device/poll-device-code.ts'
import { requireDeviceFlow } from '../device/require-device-flow.ts'
import {
  accessDenied,
  authorizationPending,
  expiredToken,
  invalidGrant,
  invalidRequest,
  invalidTarget,
  slowDown,
} from '../oauth-fault.ts'
import { respondForGrant } from '../token-response.ts'
import { newRefreshToken } from '../tokens/refresh-token.ts'
import { endGrant } from './end-grant.ts'
import type { GrantHandler, GrantParts, TokenRequest } from './grant-handler.ts'
import { noteIssued } from './note-issued.ts'

const refusals: Readonly<Record<Exclude<PollOutcome, 'tokens'>, () => Error>> = {
  pending: () => authorizationPending('The person has not decided yet. Ask again after the interval.'),
  too_fast: () => slowDown('The device asks too often. Wait five seconds longer between requests from now on.'),
  denied: () => accessDenied('The person did not allow it.'),
  expired: () => expiredToken('The device code has expired. Ask for a new one.'),
  revoked: () => invalidGrant('What the person allowed was withdrawn.'),
  used: () => invalidGrant('The device code was used before.'),
  replayed: () => invalidGrant('The device code was used before. Every token that came of it has been revoked.'),
}

/** As for authorization codes: whoever uses a code again is not the only one who has it. */
const refuse = async (
  parts: GrantParts,
  request: TokenRequest,
  { outcome, grantId, userId }: PolledCode,
): Promise<never> => {
  if (outcome === 'tokens') throw new Error('a code with tokens is not refused')
  if (outcome === 'replayed' && grantId !== null && (await endGrant(parts.database, grantId)))
    parts.audit.note({
      action: 'oauth.code_replayed',
      actor: 'app',
      appId: request.client.appId,
      userId: userId ?? undefined,
      address: request.address,
      detail: { grant: 'device_code', grant_id: grantId },
    })
  throw refusals[outcome]()
}

/** Another client's code counts as unknown. */
const poll = async (
  parts: GrantParts,
  { client, parameters, thumbprint: proven }: TokenRequest,
  token: string,
): Promise<PolledCode> => {
  if (parameters.device_code === undefined) throw invalidRequest('The request has no device_code.')
  const thumbprint = client.kind === 'public' ? proven : undefined
  const code = { codeHash: sha256(parameters.device_code), appId: client.appId, tokenHash: sha256(token), thumbprint }
  const polled = await pollDeviceCode(parts.database, code)
  if (polled === undefined) throw invalidGrant('The device code is unknown.')
  return polled
}

export const deviceCodeGrant: GrantHandler = async (parts, request) => {
  const { client } = request
  requireDeviceFlow(client)
  if (request.resource === MCP_PATH) throw invalidTarget('A device gets tokens for the service as a whole.')
  const refreshToken = newRefreshToken()
  const polled = await poll(parts, request, refreshToken)
  const { outcome, grantId, userId, authenticatedAt } = polled
  if (outcome !== 'tokens' || grantId === null || authenticatedAt === null) return refuse(parts, request, polled)
  const scopes = stillGranted(polled.scopes, client)
  noteIssued(parts, request, { grant: 'device_code', grantId, userId, scopes })
  return respondForGrant(parts.issuer, client, {
    grantId,
    userId,
    scopes,
    authenticatedAt,
    amr: polled.amr ?? [],
    sid: null,
    nonce: undefined,
    resource: null,
    refreshToken,
    thumbprint: request.thumbprint,
  })
}
