// The reference in a URL → what a sign-in page needs to know about the pending authorization request.
import { reaches } from '../../oauth/authorize/authentication-context.ts'
import type { AuthorizeParts } from '../../oauth/authorize/authorize-parts.ts'
import { findKeptRequest } from '../../oauth/authorize/stored-request.ts'

export interface PendingRequest {
  readonly app: string
  readonly redirectUri: string
  readonly loginHint: string | undefined
  /** The app asks for more than a password. */
  readonly strong: boolean
}

/** Undefined if it is unknown, used or expired. */
export const findPending = async (
  parts: Pick<AuthorizeParts, 'database' | 'clients'>,
  reference: string,
): Promise<PendingRequest | undefined> => {
  const kept = await findKeptRequest(parts.database, reference)
  if (kept === undefined) return undefined
  const { clientId, redirectUri, loginHint, acrValues } = kept.request
  const client = await parts.clients.find(clientId)
  return { app: client?.name ?? clientId, redirectUri, loginHint, strong: !reaches(['pwd'], acrValues) }
}
