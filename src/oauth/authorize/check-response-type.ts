// Allows only the authorization code flow, with the response in the query of the redirect URI or in a form posted to it.
import { invalidRequest, unsupportedResponseType } from '../oauth-fault.ts'
import type { Parameters } from '../parameters.ts'

/** Never `fragment`: that is for tokens, which the authorization endpoint does not issue. */
export const responseModes = ['query', 'form_post'] as const
export type ResponseMode = (typeof responseModes)[number]

const isWeb = (redirectUri: string): boolean => /^https?:/i.test(redirectUri)

/** Errors go the way that was asked for, as soon as that can be told. A custom scheme opens an app, and takes no form. */
export const responseModeOf = (mode: string | undefined, redirectUri: string): ResponseMode =>
  mode === 'form_post' && isWeb(redirectUri) ? 'form_post' : 'query'

/** RFC 9700 section 2.1.2: the authorization endpoint never issues tokens. */
export const checkResponseType = (parameters: Parameters, redirectUri: string): ResponseMode => {
  const { response_type: type, response_mode: mode } = parameters
  if (type === undefined) throw invalidRequest('The request has no response_type. Use response_type=code.')
  if (type !== 'code') throw unsupportedResponseType('The only response_type is "code".')
  if (mode !== undefined && !responseModes.some(known => known === mode))
    throw invalidRequest(`The response_mode is one of: ${responseModes.join(', ')}.`)
  if (mode === 'form_post' && !isWeb(redirectUri))
    throw invalidRequest('With response_mode=form_post the redirect_uri must be an http or https address.')
  return responseModeOf(mode, redirectUri)
}
