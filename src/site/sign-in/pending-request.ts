// The reference in an address → what a sign-in page needs of the authorization request that waits on the server.
import { findKeptRequest } from '../../oauth/authorize/stored-request.ts'
import type { Provider } from '../../oauth/provider.ts'

export interface PendingRequest {
  readonly app: string
  readonly redirectUri: string
  readonly loginHint: string | undefined
}

/** Undefined when it is unknown, used or expired. */
export const findPending = async (provider: Provider, reference: string): Promise<PendingRequest | undefined> => {
  const kept = await findKeptRequest(provider, reference)
  if (kept === undefined) return undefined
  const { clientId, redirectUri, loginHint } = kept.request
  const client = await provider.clients.find(clientId)
  return { app: client?.name ?? clientId, redirectUri, loginHint }
}
