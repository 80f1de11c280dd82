// What a grant of the token endpoint is: an authenticated client and its form → a token response.
import type { Client } from '../clients/client.ts'
import type { Parameters } from '../parameters.ts'
import type { Provider } from '../provider.ts'
import type { TokenResponse } from '../token-response.ts'

export interface TokenRequest {
  readonly client: Client
  readonly parameters: Parameters
  /** Where the request came from, for the audit log. */
  readonly address: string | undefined
}

export type GrantHandler = (provider: Provider, request: TokenRequest) => Promise<TokenResponse>
