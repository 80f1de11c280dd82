// `id_token_hint` → the user whom it names, where it is an ID token of ours for this very client.
import type { Client } from '../clients/client.ts'
import { invalidRequest } from '../oauth-fault.ts'
import type { Provider } from '../provider.ts'
import { readIdTokenHint } from '../tokens/id-token-hint.ts'

export const checkIdTokenHint = async (
  provider: Provider,
  client: Client,
  hint: string | undefined,
): Promise<string | undefined> => {
  if (hint === undefined) return undefined
  const hinted = await readIdTokenHint(provider.keys.current(), provider.baseUrl, hint)
  if (hinted?.clientId !== client.clientId) throw invalidRequest('The id_token_hint is not an ID token of this app.')
  return hinted.userId
}
