// Tokens that were issued for a person or a device → a line in the audit log.
import type { GrantParts, TokenRequest } from './grant-handler.ts'

interface Issued {
  readonly grant: 'authorization_code' | 'refresh_token' | 'device_code'
  readonly grantId: string
  readonly userId: string | null
  readonly scopes: readonly string[]
}

export const noteIssued = (
  { audit }: Pick<GrantParts, 'audit'>,
  { client, address }: TokenRequest,
  { grant, grantId, userId, scopes }: Issued,
): void =>
  audit.note({
    action: 'oauth.token_issued',
    actor: 'app',
    appId: client.appId,
    userId: userId ?? undefined,
    address,
    detail: { grant, scope: scopes.join(' '), grant_id: grantId },
  })
