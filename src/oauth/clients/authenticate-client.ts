// Presented credentials → the approved client they belong to.
import { equalBytes, sha256 } from '../../base/secrets.ts'
import { invalidClient } from '../oauth-fault.ts'
import type { Client } from './client.ts'
import type { PresentedClient } from './client-credentials.ts'
import type { ClientDirectory } from './client-directory.ts'

/** Secrets carry 256 random bits, so a plain digest is enough; the comparison's time tells nothing. */
const hasSecret = (client: Client | undefined, secret: string): boolean => {
  const digest = sha256(secret)
  // An unknown client costs the same comparison as a known one.
  const hashes = client === undefined || client.secretHashes.length === 0 ? [sha256('none')] : client.secretHashes
  let matches = 0
  for (const hash of hashes) if (equalBytes(hash, digest)) matches += 1
  return client !== undefined && client.secretHashes.length > 0 && matches > 0
}

/** One sentence for every reason, so that client ids and states cannot be probed. */
const refused = (detail: string) =>
  invalidClient('The client is unknown, not approved, or its secret is wrong.', detail)

/**
 * RFC 6749 section 3.2.1: "Confidential clients or other clients issued client credentials MUST authenticate".
 * A public client has no secret, and so names itself only.
 */
export const authenticateClient = async (directory: ClientDirectory, presented: PresentedClient): Promise<Client> => {
  const client = await directory.find(presented.clientId)
  if (presented.secret !== undefined && !hasSecret(client, presented.secret)) throw refused('wrong secret')
  if (client === undefined) throw refused('unknown client')
  if (client.state !== 'approved') throw refused(`the app is ${client.state}`)
  if (presented.secret === undefined && client.kind === 'confidential')
    throw invalidClient('This app is confidential: authenticate with HTTP Basic.')
  return client
}
