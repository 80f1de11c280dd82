// RP-initiated logout (OpenID Connect RP-Initiated Logout 1.0): an app asks to sign the person out here as well.
import type { Session } from '../accounts/sessions.ts'
import type { AuthorizeParts } from './authorize/authorize-parts.ts'
import { isLoopback, matchesRedirectUri } from './authorize/check-redirect-uri.ts'
import { requireClient } from './authorize/requesting-client.ts'
import type { Client } from './clients/client.ts'
import { invalidRequest } from './oauth-fault.ts'
import { type Parameters, type RawParameters, singleValues } from './parameters.ts'
import { type HintedSignIn, readIdTokenHint } from './tokens/id-token-hint.ts'

type LogoutParts = Pick<AuthorizeParts, 'issuer' | 'clients'>

export interface LogoutRequest {
  /** Where the browser goes afterwards; if undefined, it stays here. */
  readonly location: string | undefined
  /** To pass on in the confirmation form. */
  readonly parameters: Parameters
  readonly hintedUserId: string | undefined
}

const readHint = async (parts: LogoutParts, { id_token_hint: hint }: Parameters): Promise<HintedSignIn | undefined> => {
  if (hint === undefined) return undefined
  const hinted = await readIdTokenHint(parts.issuer.keys.current(), parts.issuer.baseUrl, hint)
  if (hinted === undefined) throw invalidRequest('The id_token_hint is not an ID token of this service.')
  return hinted
}

const isRegistered = (asked: string, { development, postLogoutRedirectUris }: Client): boolean =>
  development ? isLoopback(asked) : postLogoutRedirectUris.some(registered => matchesRedirectUri(asked, registered))

/** Section 3: the URI "MUST have been previously registered"; otherwise logout would be an open redirector. */
const findLocation = async (parts: LogoutParts, parameters: Parameters, clientId: string | undefined) => {
  const { post_logout_redirect_uri: asked, state } = parameters
  if (asked === undefined) return undefined
  const client = await requireClient({ introduce: parts.clients.find }, clientId)
  if (!isRegistered(asked, client)) throw invalidRequest('The post_logout_redirect_uri is not registered for this app.')
  return state === undefined ? asked : `${asked}${asked.includes('?') ? '&' : '?'}${new URLSearchParams({ state })}`
}

/** @throws {Fault} to be shown on a page. */
export const checkLogout = async (parts: LogoutParts, raw: RawParameters): Promise<LogoutRequest> => {
  const parameters = singleValues(raw)
  const hinted = await readHint(parts, parameters)
  const { client_id: clientId } = parameters
  if (clientId !== undefined && hinted !== undefined && hinted.clientId !== clientId)
    throw invalidRequest('The id_token_hint was issued to another app than the one in client_id.')
  const location = await findLocation(parts, parameters, clientId ?? hinted?.clientId)
  return { location, parameters, hintedUserId: hinted?.userId }
}

/** Without a hint that names the person, any link could sign them out, so they are asked first. */
export const mustConfirm = ({ hintedUserId }: LogoutRequest, session: Session): boolean =>
  hintedUserId !== session.user.id
