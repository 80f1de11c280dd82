// The token endpoint: form → grant type → authenticated client → tokens.
import { authenticateClient } from './clients/authenticate-client.ts'
import { readClientCredentials } from './clients/client-credentials.ts'
import { authorizationCodeGrant } from './grants/authorization-code.ts'
import { clientCredentialsGrant } from './grants/client-credentials.ts'
import type { GrantHandler } from './grants/grant-handler.ts'
import { refreshTokenGrant } from './grants/refresh-token.ts'
import { countingRefusals } from './limits.ts'
import { invalidRequest, unsupportedGrantType } from './oauth-fault.ts'
import { type RawParameters, singleValues } from './parameters.ts'
import type { Provider } from './provider.ts'
import type { TokenResponse } from './token-response.ts'

/** A form that was posted to one of the endpoints that programs use. */
export interface FormPost {
  readonly form: RawParameters
  readonly authorization: string | undefined
  readonly address: string | undefined
}

export const grantTypes = ['authorization_code', 'client_credentials', 'refresh_token'] as const

const handlers: Readonly<Record<(typeof grantTypes)[number], GrantHandler>> = {
  authorization_code: authorizationCodeGrant,
  client_credentials: clientCredentialsGrant,
  refresh_token: refreshTokenGrant,
}

const chooseGrant = (grantType: string | undefined): GrantHandler => {
  if (grantType === undefined) throw invalidRequest('The request has no grant_type.')
  const known = grantTypes.find(name => name === grantType)
  if (known === undefined) throw unsupportedGrantType(`The grant types are: ${grantTypes.join(', ')}.`)
  return handlers[known]
}

const answer = async (provider: Provider, post: FormPost): Promise<TokenResponse> => {
  const parameters = singleValues(post.form)
  const grant = chooseGrant(parameters.grant_type)
  const presented = readClientCredentials(post.authorization, parameters)
  const client = await authenticateClient(provider.clients, presented)
  provider.limits.tokensPerClient.take(client.clientId)
  return grant(provider, { client, parameters, address: post.address })
}

export const issueTokens = (provider: Provider, post: FormPost): Promise<TokenResponse> =>
  countingRefusals(provider.limits, post.address, () => answer(provider, post))
