// A request with an unregistered redirect_uri → the registered ones, shown to the app's signed-in owner only.
import type { Session } from '../../accounts/sessions.ts'
import { firstValues, type RawParameters } from '../parameters.ts'
import type { AuthorizeParts } from './authorize-parts.ts'
import { isRegistered } from './check-redirect-uri.ts'

export interface OwnerHint {
  readonly appId: string
  readonly registered: readonly string[]
}

/** Only the owner sees an app's redirect URIs: to others they would be a list of targets. */
export const findOwnerHint = async (
  { clients }: Pick<AuthorizeParts, 'clients'>,
  raw: RawParameters,
  session: Session | undefined,
): Promise<OwnerHint | undefined> => {
  const { client_id: clientId, redirect_uri: redirectUri } = firstValues(raw)
  if (session === undefined || clientId === undefined) return undefined
  const client = await clients.find(clientId)
  if (client === undefined || client.development || client.ownerId !== session.user.id) return undefined
  if (redirectUri !== undefined && isRegistered(redirectUri, client.redirectUris)) return undefined
  return { appId: client.appId, registered: client.redirectUris }
}
