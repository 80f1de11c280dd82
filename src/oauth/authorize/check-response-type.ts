// Allows only the authorization code flow, with the response in the query of the redirect URI.
import { invalidRequest, unsupportedResponseType } from '../oauth-fault.ts'
import type { Parameters } from '../parameters.ts'

/** RFC 9700 section 2.1.2: the authorization endpoint never issues tokens. */
export const checkResponseType = (parameters: Parameters): void => {
  const { response_type: type, response_mode: mode } = parameters
  if (type === undefined) throw invalidRequest('The request has no response_type. Use response_type=code.')
  if (type !== 'code') throw unsupportedResponseType('The only response_type is "code".')
  if (mode !== undefined && mode !== 'query') throw invalidRequest('The only response_mode is "query".')
}
