// The Authorization header and the form → the client_id, and the secret or assertion that the caller presents.
import { decodeJwt } from 'jose'
import { invalidClient, invalidRequest } from '../oauth-fault.ts'
import { isStorable, type Parameters } from '../parameters.ts'
import { ASSERTION_TYPE } from './verify-assertion.ts'

export interface PresentedClient {
  readonly clientId: string
  /** Undefined if the client did not authenticate. */
  readonly secret: string | undefined
  /** Whether the secret is in the form (`client_secret_post`), not in the header. */
  readonly posted: boolean
  /** Signed by the client (`private_key_jwt`), and not verified yet. */
  readonly assertion?: string
}

const unreadable = () => invalidClient('The client credentials in the Authorization header cannot be read.')

/** RFC 6749 section 2.3.1: both parts are form-encoded before they are joined. */
const decodePart = (text: string): string => {
  if (!/[%+]/.test(text)) return text
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    throw unreadable()
  }
}

const readBasic = (header: string): PresentedClient => {
  const [scheme = '', encoded = '', ...rest] = header.split(' ')
  if (scheme.toLowerCase() !== 'basic' || rest.length > 0)
    throw invalidClient('Clients authenticate with HTTP Basic: client_id and client_secret.')
  const pair = Buffer.from(encoded, 'base64').toString('utf8')
  const colon = pair.indexOf(':')
  if (colon < 1 || !isStorable(pair)) throw unreadable()
  const clientId = decodePart(pair.slice(0, colon))
  if (!isStorable(clientId)) throw unreadable()
  return { clientId, secret: decodePart(pair.slice(colon + 1)), posted: false }
}

const subjectOf = (assertion: string): string | undefined => {
  try {
    return decodeJwt(assertion).sub
  } catch {
    return undefined
  }
}

/** RFC 7521 section 4.2: the client_id is optional, "unless … needed"; the subject of the assertion is the client. */
const readAssertion = ({
  client_id: clientId,
  client_assertion: text = '',
  ...parameters
}: Parameters): PresentedClient => {
  if (parameters.client_secret !== undefined)
    throw invalidRequest('The client authenticates in two ways. Use only the assertion.')
  if (parameters.client_assertion_type !== ASSERTION_TYPE)
    throw invalidClient(`The client_assertion_type must be ${ASSERTION_TYPE}.`)
  const subject = subjectOf(text)
  if (subject === undefined || !isStorable(subject)) throw invalidClient('The client assertion cannot be read.')
  if (clientId !== undefined && clientId !== subject)
    throw invalidRequest('The client_id in the form differs from the subject of the assertion.')
  return { clientId: subject, secret: undefined, posted: false, assertion: text }
}

/** RFC 6749 section 2.3: "The client MUST NOT use more than one authentication method in each request." */
export const readClientCredentials = (header: string | undefined, parameters: Parameters): PresentedClient => {
  const { client_id: clientId, client_secret: secret, client_assertion: assertion } = parameters
  if (header !== undefined && (secret !== undefined || assertion !== undefined))
    throw invalidRequest('The client authenticates in two ways. Use only the Authorization header.')
  if (assertion !== undefined) return readAssertion(parameters)
  if (header === undefined) {
    if (clientId === undefined) throw invalidClient('The request names no client: send client_id or use HTTP Basic.')
    return { clientId, secret, posted: secret !== undefined }
  }
  const basic = readBasic(header)
  if (clientId !== undefined && clientId !== basic.clientId)
    throw invalidRequest('The client_id in the form differs from the one in the Authorization header.')
  return basic
}
