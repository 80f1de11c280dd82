// `state` is required, and must be short enough to store.
import { invalidRequest } from '../oauth-fault.ts'
import type { Parameters } from '../parameters.ts'

const LONGEST = 2048

export const checkState = (parameters: Parameters): string => {
  const { state } = parameters
  if (state === undefined)
    throw invalidRequest('The request has no state. Send a random value and compare it on return.')
  if (state.length > LONGEST) throw invalidRequest(`The state is longer than ${LONGEST} characters.`)
  return state
}

/** OpenID Connect Core section 3.1.2.1: optional in the code flow, echoed unmodified in the ID token. */
export const checkNonce = (parameters: Parameters): string | undefined => {
  const { nonce } = parameters
  if (nonce !== undefined && nonce.length > LONGEST)
    throw invalidRequest(`The nonce is longer than ${LONGEST} characters.`)
  return nonce
}
