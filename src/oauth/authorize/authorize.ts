// The authorization endpoint: parameters → client → redirect URI → checked request → what the browser does next.
import type { Session } from '../../accounts/sessions.ts'
import { networkOf } from '../../base/ip-address.ts'
import type { Client } from '../clients/client.ts'
import { invalidRequest, invalidRequestUri } from '../oauth-fault.ts'
import { firstValues, type RawParameters } from '../parameters.ts'
import type { Provider } from '../provider.ts'
import type { AuthorizationRequest } from './authorization-request.ts'
import { checkRedirectUri } from './check-redirect-uri.ts'
import { checkRequest } from './check-request.ts'
import { type AuthorizeAnswer, proceed, returningFaults } from './proceed.ts'
import { PUSHED_PREFIX } from './push.ts'
import { requireClient } from './requesting-client.ts'
import { keepRequest, takePushedRequest } from './stored-request.ts'

export interface AuthorizeInput {
  readonly raw: RawParameters
  readonly address: string
  readonly session: Session | undefined
  /**
   * A form posted by another site comes without the session's cookie (SameSite). The request is then kept, and the
   * browser asked to come again with GET, which brings the cookie along.
   */
  readonly posted: boolean
}

const isRepeated = (raw: RawParameters, name: string): boolean => typeof raw[name] === 'object'

const findRedirectUri = (provider: Provider, client: Client, raw: RawParameters): string => {
  if (isRepeated(raw, 'redirect_uri')) throw invalidRequest('The redirect_uri is given more than once.')
  const rules = { registered: client.redirectUris, httpsOnly: provider.httpsOnly }
  return checkRedirectUri(firstValues(raw).redirect_uri, rules)
}

const findClient = (provider: Provider, raw: RawParameters): Promise<Client> => {
  if (isRepeated(raw, 'client_id')) throw invalidRequest('The client_id is given more than once.')
  return requireClient(provider, firstValues(raw).client_id)
}

/** RFC 9126 section 4: what was pushed counts, and nothing that stands beside the request_uri. */
const takePushed = async (provider: Provider, client: Client, requestUri: string): Promise<AuthorizationRequest> => {
  const request = await takePushedRequest(provider, client, requestUri.slice(PUSHED_PREFIX.length))
  if (request === undefined) throw invalidRequestUri('The pushed request is unknown, was used, or has expired.')
  checkRedirectUri(request.redirectUri, { registered: client.redirectUris, httpsOnly: provider.httpsOnly })
  return request
}

const goOn = async (
  provider: Provider,
  { session, posted }: AuthorizeInput,
  { client, request }: { client: Client; request: AuthorizationRequest },
): Promise<AuthorizeAnswer> => {
  if (!posted) return proceed(provider, { client, request, session, kept: undefined })
  return { kind: 'resume', reference: await keepRequest(provider, client, request), uiLocales: request.uiLocales }
}

/** @throws {Fault} for a page, where it cannot be trusted whom a redirect would reach. */
export const authorize = async (provider: Provider, input: AuthorizeInput): Promise<AuthorizeAnswer> => {
  const { raw } = input
  provider.limits.authorizePerAddress.take(networkOf(input.address))
  const client = await findClient(provider, raw)
  const { request_uri: requestUri, state } = firstValues(raw)
  if (requestUri?.startsWith(PUSHED_PREFIX) && !isRepeated(raw, 'request_uri'))
    return goOn(provider, input, { client, request: await takePushed(provider, client, requestUri) })
  const redirectUri = findRedirectUri(provider, client, raw)
  const destination = { redirectUri, state: isRepeated(raw, 'state') ? undefined : state, issuer: provider.baseUrl }
  return returningFaults(destination, async () => {
    const request = await checkRequest(provider, { raw, client, redirectUri })
    return goOn(provider, input, { client, request })
  })
}
