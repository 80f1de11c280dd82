// `id_token_hint` → the user it names, if it is an ID token we issued to this client.
import type { Client } from '../clients/client.ts'
import type { Issuer } from '../issuer.ts'
import { invalidRequest } from '../oauth-fault.ts'
import { readIdTokenHint } from '../tokens/id-token-hint.ts'

export const checkIdTokenHint = async (
  issuer: Issuer,
  client: Client,
  hint: string | undefined,
): Promise<string | undefined> => {
  if (hint === undefined) return undefined
  const hinted = await readIdTokenHint(issuer.keys.current(), issuer.baseUrl, hint)
  if (hinted?.clientId !== client.clientId) throw invalidRequest('The id_token_hint is not an ID token of this app.')
  return hinted.userId
}
