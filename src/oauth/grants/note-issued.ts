// Tokens that were issued for a person or a device → the audit log: a row for each authorization, and a count of its refreshes.
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

/** Refreshes from where the one before came from are counted. */
export const noteRefreshed = (
  parts: Pick<GrantParts, 'audit'>,
  request: TokenRequest,
  { moved, ...issued }: Omit<Issued, 'grant'> & { readonly moved: boolean },
): void => {
  const { appId } = request.client
  const counted = { action: 'oauth.token_issued', actor: 'app', appId, userId: undefined, address: undefined } as const
  if (moved) noteIssued(parts, request, { grant: 'refresh_token', ...issued })
  else parts.audit.tally(`${appId} refresh_token`, () => ({ ...counted, detail: { grant: 'refresh_token' } }))
}
