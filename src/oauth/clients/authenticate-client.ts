// Presented credentials → the approved client they belong to.
import { equalBytes, sha256 } from '../../base/secrets.ts'
import { invalidClient } from '../oauth-fault.ts'
import type { Client, ClientSecret } from './client.ts'
import type { PresentedClient } from './client-credentials.ts'
import type { ClientDirectory } from './client-directory.ts'

const nobody: ClientSecret = { id: '', hash: sha256('none') }

/**
 * Secrets have 256 random bits, so a plain digest is enough. The comparison takes constant time.
 * @returns the id of the matching secret
 */
const findSecret = (client: Client | undefined, secret: string): string | undefined => {
  const digest = sha256(secret)
  // An unknown client costs the same comparison as a known one.
  const secrets = client === undefined || client.secrets.length === 0 ? [nobody] : client.secrets
  let found: string | undefined
  for (const { id, hash } of secrets) if (equalBytes(hash, digest)) found = id
  return client === undefined || client.secrets.length === 0 ? undefined : found
}

/** The same message for every reason, so that client ids and states cannot be probed. */
const refused = (detail: string) =>
  invalidClient('The client is unknown, not approved, or its secret or key is wrong.', detail)

const usesKeys = ({ jwks, jwksUri }: Client): boolean => jwks !== null || jwksUri !== null

/** The right secret of an app that signs with a key: whoever knows it may be told so. */
const checkKeyed = (client: Client, known: boolean): void => {
  if (known && usesKeys(client))
    throw invalidClient('This app authenticates with its key (private_key_jwt): its secrets are not accepted.')
}

/** Helps developers whose library sends too much, or sends it in the wrong place. */
const checkMethod = (client: Client | undefined, { secret, posted }: PresentedClient, known: boolean): void => {
  if (client?.state !== 'approved' || secret === undefined) return
  checkKeyed(client, known)
  if (client.kind === 'public')
    throw invalidClient('This app is public: it has no secret, send client_id alone.', 'a secret of a public app')
  if (posted && known && client.clientAuthentication === 'basic')
    throw invalidClient('This app authenticates with HTTP Basic only: send the secret in the Authorization header.')
}

/** RFC 7523 section 2.2. */
const authenticateByKey = async (
  directory: ClientDirectory,
  client: Client | undefined,
  assertion: string,
): Promise<Client> => {
  if (client === undefined) throw refused('unknown client')
  if (client.state !== 'approved') throw refused(`the app is ${client.state}`)
  if (!usesKeys(client)) throw refused('an assertion of an app without keys')
  await directory.verifyAssertion(client, assertion)
  return client
}

/**
 * RFC 6749 section 3.2.1: "Confidential clients or other clients issued client credentials MUST authenticate".
 * A public client has no secret and sends only its client_id.
 */
export const authenticateClient = async (directory: ClientDirectory, presented: PresentedClient): Promise<Client> => {
  const client = await directory.find(presented.clientId)
  if (presented.assertion !== undefined) return authenticateByKey(directory, client, presented.assertion)
  const secretId = presented.secret === undefined ? undefined : findSecret(client, presented.secret)
  checkMethod(client, presented, secretId !== undefined)
  if (presented.secret !== undefined && secretId === undefined) throw refused('wrong secret')
  if (client === undefined) throw refused('unknown client')
  if (client.state !== 'approved') throw refused(`the app is ${client.state}`)
  if (presented.secret === undefined && usesKeys(client))
    throw invalidClient('This app authenticates with its key: send a client_assertion (private_key_jwt).')
  if (presented.secret === undefined && client.kind === 'confidential')
    throw invalidClient('This app is confidential: authenticate with its secret, by HTTP Basic.')
  if (secretId !== undefined) directory.noteSecret(secretId)
  return client
}
