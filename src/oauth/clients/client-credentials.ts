// The Authorization header and the form → the client_id and secret that the caller presents.
import { invalidClient, invalidRequest } from '../oauth-fault.ts'
import { isStorable, type Parameters } from '../parameters.ts'

export interface PresentedClient {
  readonly clientId: string
  /** Undefined if the client did not authenticate. */
  readonly secret: string | undefined
  /** Whether the secret is in the form (`client_secret_post`), not in the header. */
  readonly posted: boolean
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

/** RFC 6749 section 2.3: "The client MUST NOT use more than one authentication method in each request." */
export const readClientCredentials = (header: string | undefined, parameters: Parameters): PresentedClient => {
  const { client_id: clientId, client_secret: secret, client_assertion: assertion } = parameters
  if (header !== undefined && (secret !== undefined || assertion !== undefined))
    throw invalidRequest('The client authenticates in two ways. Use only the Authorization header.')
  if (assertion !== undefined)
    throw invalidClient('Clients authenticate with HTTP Basic, or with client_id and client_secret in the form.')
  if (header === undefined) {
    if (clientId === undefined) throw invalidClient('The request names no client: send client_id or use HTTP Basic.')
    return { clientId, secret, posted: secret !== undefined }
  }
  const basic = readBasic(header)
  if (clientId !== undefined && clientId !== basic.clientId)
    throw invalidRequest('The client_id in the form differs from the one in the Authorization header.')
  return basic
}
