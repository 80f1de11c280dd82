// The token endpoint: form → grant type → authenticated client → tokens.

import type { CheckProof } from '../access/dpop/check-proof.ts'
import type { FairTurns } from '../base/fair-turns.ts'
import { Fault } from '../base/fault.ts'
import { grantTypes } from '../base/grant-types.ts'
import type { Counter } from '../metrics/counter.ts'
import { askedResource } from './authorize/check-resource.ts'
import { authenticateClient } from './clients/authenticate-client.ts'
import { readClientCredentials } from './clients/client-credentials.ts'
import type { ClientDirectory } from './clients/client-directory.ts'
import { provenKey } from './dpop.ts'
import { authorizationCodeGrant } from './grants/authorization-code.ts'
import { clientCredentialsGrant } from './grants/client-credentials.ts'
import { deviceCodeGrant } from './grants/device-code.ts'
import type { GrantHandler, GrantParts } from './grants/grant-handler.ts'
import { refreshTokenGrant } from './grants/refresh-token.ts'
import { countingRefusals, type OauthLimits } from './limits.ts'
import { invalidRequest, unsupportedGrantType } from './oauth-fault.ts'
import { type RawParameters, resourcesOf, singleValues } from './parameters.ts'
import type { TokenResponse } from './token-response.ts'

/** A form posted to one of the endpoints for programs. */
export interface FormPost {
  readonly form: RawParameters
  readonly authorization: string | undefined
  /** The DPoP header (RFC 9449). */
  readonly dpop?: string | undefined
  readonly address: string | undefined
  readonly userAgent: string | undefined
}

/** The dependencies of the token endpoint. */
export interface TokenParts extends GrantParts {
  readonly clients: ClientDirectory
  readonly checkProof: CheckProof
  /** Where it is served: proofs name it. */
  readonly address: string
  readonly limits: OauthLimits
  /** How many requests of one client are in progress at a time. */
  readonly turns: FairTurns
  /** By grant and outcome. */
  readonly counter?: Counter | undefined
}

const handlers: Readonly<Record<(typeof grantTypes)[number], GrantHandler>> = {
  authorization_code: authorizationCodeGrant,
  client_credentials: clientCredentialsGrant,
  refresh_token: refreshTokenGrant,
  'urn:ietf:params:oauth:grant-type:device_code': deviceCodeGrant,
}

const chooseGrant = (grantType: string | undefined): GrantHandler => {
  if (grantType === undefined) throw invalidRequest('The request has no grant_type.')
  const known = grantTypes.find(name => name === grantType)
  if (known === undefined) throw unsupportedGrantType(`The grant types are: ${grantTypes.join(', ')}.`)
  return handlers[known]
}

const answer = async (parts: TokenParts, post: FormPost): Promise<TokenResponse> => {
  const parameters = singleValues(post.form)
  const grant = chooseGrant(parameters.grant_type)
  const presented = readClientCredentials(post.authorization, parameters)
  const client = await authenticateClient(parts.clients, presented)
  parts.limits.tokensPerClient.take(client.clientId)
  const resource = askedResource(resourcesOf(post.form), parts.issuer.baseUrl)
  // Only now: nobody can use up the turns of a client whose secret they do not know.
  await parts.turns.take(client.clientId)
  try {
    const thumbprint = await provenKey(parts.checkProof, client, { text: post.dpop, address: parts.address })
    return await grant(parts, { client, parameters, resource, thumbprint, address: post.address })
  } finally {
    parts.turns.release(client.clientId)
  }
}

/** Only names of our own are counted: whatever else a client sends as its grant type is `unknown`. */
const grantOf = ({ form }: FormPost): string =>
  grantTypes.find(name => name === form.grant_type)?.replace(/^.*:/, '') ?? 'unknown'

export const issueTokens = async (parts: TokenParts, post: FormPost): Promise<TokenResponse> => {
  try {
    const response = await countingRefusals(parts.limits, post.address, () => answer(parts, post))
    parts.counter?.add(grantOf(post), 'issued')
    return response
  } catch (error) {
    parts.counter?.add(grantOf(post), error instanceof Fault ? error.code : 'unexpected')
    throw error
  }
}
