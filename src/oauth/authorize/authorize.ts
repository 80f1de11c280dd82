// The authorization endpoint: parameters → client → redirect URI → checked request → what the browser does next.
import type { Session } from '../../accounts/sessions.ts'
import { networkOf } from '../../base/ip-address.ts'
import type { Client } from '../clients/client.ts'
import { invalidRequest, invalidRequestUri } from '../oauth-fault.ts'
import { firstValues, type RawParameters } from '../parameters.ts'
import type { AuthorizationRequest } from './authorization-request.ts'
import type { AuthorizeParts } from './authorize-parts.ts'
import { checkRedirectUri, redirectUriRules } from './check-redirect-uri.ts'
import { checkRequest } from './check-request.ts'
import { responseModeOf } from './check-response-type.ts'
import { type AuthorizeAnswer, proceed } from './proceed.ts'
import { PUSHED_PREFIX } from './push.ts'
import { requireClient } from './requesting-client.ts'
import { returningFaults } from './returning-faults.ts'
import { keepRequest, takePushedRequest } from './stored-request.ts'

export interface AuthorizeInput {
  readonly raw: RawParameters
  readonly address: string
  readonly session: Session | undefined
  /**
   * A form posted from another site arrives without the session cookie (SameSite). The request is then stored and the
   * browser redirected, because a GET navigation does send the cookie.
   */
  readonly posted: boolean
}

const isRepeated = (raw: RawParameters, name: string): boolean => typeof raw[name] === 'object'

const findRedirectUri = (parts: AuthorizeParts, client: Client, raw: RawParameters): string => {
  if (isRepeated(raw, 'redirect_uri')) throw invalidRequest('The redirect_uri is given more than once.')
  return checkRedirectUri(firstValues(raw).redirect_uri, redirectUriRules(client, parts))
}

const findClient = (parts: AuthorizeParts, { raw, address }: AuthorizeInput): Promise<Client> => {
  if (isRepeated(raw, 'client_id')) throw invalidRequest('The client_id is given more than once.')
  return requireClient(parts, firstValues(raw).client_id, address)
}

/** RFC 9126 section 4: only the pushed parameters count; others sent along with the request_uri are ignored. */
const takePushed = async (parts: AuthorizeParts, client: Client, requestUri: string): Promise<AuthorizationRequest> => {
  const request = await takePushedRequest(parts.database, client, requestUri.slice(PUSHED_PREFIX.length))
  if (request === undefined) throw invalidRequestUri('The pushed request is unknown, already used, or expired.')
  checkRedirectUri(request.redirectUri, redirectUriRules(client, parts))
  return request
}

const goOn = async (
  parts: AuthorizeParts,
  { session, posted }: AuthorizeInput,
  { client, request }: { client: Client; request: AuthorizationRequest },
): Promise<AuthorizeAnswer> => {
  if (!posted) return proceed(parts, { client, request, session, kept: undefined })
  return { kind: 'resume', reference: await keepRequest(parts.database, client, request), uiLocales: request.uiLocales }
}

/** @throws {Fault} to be shown on a page, when the redirect URI cannot be trusted. */
export const authorize = async (parts: AuthorizeParts, input: AuthorizeInput): Promise<AuthorizeAnswer> => {
  const { raw } = input
  parts.limits.authorizePerAddress.take(networkOf(input.address))
  const client = await findClient(parts, input)
  const { request_uri: requestUri, response_mode: mode, state } = firstValues(raw)
  if (requestUri?.startsWith(PUSHED_PREFIX) && !isRepeated(raw, 'request_uri'))
    return goOn(parts, input, { client, request: await takePushed(parts, client, requestUri) })
  const redirectUri = findRedirectUri(parts, client, raw)
  const destination = {
    redirectUri,
    state: isRepeated(raw, 'state') ? undefined : state,
    issuer: parts.issuer.baseUrl,
    responseMode: responseModeOf(isRepeated(raw, 'response_mode') ? undefined : mode, redirectUri),
  }
  return returningFaults(parts, { client, session: input.session, destination }, async () => {
    const request = await checkRequest(parts, { raw, client, redirectUri })
    return goOn(parts, input, { client, request })
  })
}
