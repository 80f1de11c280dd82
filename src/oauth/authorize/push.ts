// Pushed authorization requests (RFC 9126): a client posts its request → a request_uri for the browser.
import { authenticateClient } from '../clients/authenticate-client.ts'
import { readClientCredentials } from '../clients/client-credentials.ts'
import { pushedKey } from '../dpop.ts'
import { PUSHED_REQUEST_SECONDS } from '../lifetimes.ts'
import { countingRefusals } from '../limits.ts'
import { invalidRequest } from '../oauth-fault.ts'
import { singleValues } from '../parameters.ts'
import type { FormPost } from '../token.ts'
import type { AuthorizeParts } from './authorize-parts.ts'
import { checkRedirectUri, redirectUriRules } from './check-redirect-uri.ts'
import { checkRequest } from './check-request.ts'
import { storePushedRequest } from './stored-request.ts'

export const PUSH_PATH = '/oauth/par'

export const PUSHED_PREFIX = 'urn:ietf:params:oauth:request_uri:'

export interface PushedRequest {
  readonly request_uri: string
  readonly expires_in: number
}

/** Reports every fault before a browser is involved. RFC 9126 section 2.1 forbids a request_uri here. */
const push = async (parts: AuthorizeParts, post: FormPost): Promise<PushedRequest> => {
  const parameters = singleValues(post.form)
  const client = await authenticateClient(parts.clients, readClientCredentials(post.authorization, parameters))
  parts.limits.pushesPerClient.take(client.clientId)
  if (parameters.request_uri !== undefined) throw invalidRequest('A pushed request cannot contain a request_uri.')
  const redirectUri = checkRedirectUri(parameters.redirect_uri, redirectUriRules(client, parts))
  const request = await checkRequest(parts, { raw: post.form, client, redirectUri })
  const proof = { text: post.dpop, address: parts.issuer.baseUrl + PUSH_PATH }
  const dpopJkt = await pushedKey(parts.checkProof, request.dpopJkt, proof)
  const reference = await storePushedRequest(parts.database, client, { ...request, dpopJkt })
  return { request_uri: PUSHED_PREFIX + reference, expires_in: PUSHED_REQUEST_SECONDS }
}

export const pushRequest = (parts: AuthorizeParts, post: FormPost): Promise<PushedRequest> =>
  countingRefusals(parts.limits, post.address, () => push(parts, post))
