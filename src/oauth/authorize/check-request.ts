// The parameters of an authorization request → a validated request. The checks run in this order.
import type { Client } from '../clients/client.ts'
import { checkDpopJkt } from '../dpop.ts'
import { invalidRequest } from '../oauth-fault.ts'
import { firstValues, parameterFault, type RawParameters, resourcesOf } from '../parameters.ts'
import { readAcrValues } from './authentication-context.ts'
import { type AuthorizationRequest, claimsAsked } from './authorization-request.ts'
import type { AuthorizeParts } from './authorize-parts.ts'
import { checkIdTokenHint } from './check-id-token-hint.ts'
import { checkPkce } from './check-pkce.ts'
import { checkMaxAge, checkPrompt } from './check-prompt.ts'
import { checkRequestObject } from './check-request-object.ts'
import { checkResource } from './check-resource.ts'
import { checkResponseType } from './check-response-type.ts'
import { checkScope } from './check-scope.ts'
import { checkNonce, checkState } from './check-state.ts'

export interface UncheckedRequest {
  readonly raw: RawParameters
  readonly client: Client
  /** Checked already: without it there is nowhere to send an error. */
  readonly redirectUri: string
}

/** For values that only help the person: truncated rather than refused, and never inside a surrogate pair. */
const shorten = (text: string | undefined, longest: number): string | undefined =>
  text?.slice(0, longest).toWellFormed()

/** Unknown parameters, and those that only change how pages look, are ignored (OpenID Connect Core section 3.1.2.1). */
export const checkRequest = async (
  parts: AuthorizeParts,
  unchecked: UncheckedRequest,
): Promise<AuthorizationRequest> => {
  const { raw, client, redirectUri } = unchecked
  const fault = parameterFault(raw)
  if (fault !== undefined) throw invalidRequest(fault)
  const parameters = firstValues(raw)
  checkRequestObject(parameters)
  const state = checkState(parameters)
  const responseMode = checkResponseType(parameters, redirectUri)
  const codeChallenge = checkPkce(parameters)
  const scopes = checkScope(parameters.scope, client.scopes)
  const resource = checkResource(resourcesOf(raw), parts.issuer.baseUrl)
  return {
    clientId: client.clientId,
    redirectUri,
    responseMode,
    state,
    scopes,
    resource,
    claims: claimsAsked(scopes, client),
    codeChallenge,
    dpopJkt: checkDpopJkt(parameters),
    nonce: checkNonce(parameters),
    prompts: checkPrompt(parameters),
    maxAge: checkMaxAge(parameters),
    acrValues: readAcrValues(parameters),
    hintedUserId: await checkIdTokenHint(parts.issuer, client, parameters.id_token_hint),
    loginHint: shorten(parameters.login_hint, 254),
    uiLocales: shorten(parameters.ui_locales, 100),
  }
}
