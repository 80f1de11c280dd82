// Request objects are refused, not ignored: a client that sends one relies on it (OpenID Connect Core section 3.1.2.6).
import { registrationNotSupported, requestNotSupported, requestUriNotSupported } from '../oauth-fault.ts'
import type { Parameters } from '../parameters.ts'

export const checkRequestObject = (parameters: Parameters): void => {
  if (parameters.request !== undefined) throw requestNotSupported('Request objects are not supported.')
  if (parameters.request_uri !== undefined)
    throw requestUriNotSupported('Only a request_uri issued by the pushed authorization request endpoint is accepted.')
  if (parameters.registration !== undefined) throw registrationNotSupported('Apps register in the developer console.')
}
