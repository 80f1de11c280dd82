// An app as the authorization server sees it: an OAuth client.
import type { Scope } from '../../access/scopes.ts'
import type { SigningAlgorithm } from '../signing-keys/signing-key.ts'

export type ClientState = 'pending' | 'approved' | 'rejected' | 'suspended'

export interface Client {
  readonly appId: string
  readonly clientId: string
  readonly name: string
  readonly ownerName: string
  readonly homePage: string | null
  readonly logo: string | null
  readonly kind: 'public' | 'confidential'
  readonly state: ClientState
  readonly redirectUris: readonly string[]
  readonly postLogoutRedirectUris: readonly string[]
  /** What its reviewer granted. */
  readonly scopes: ReadonlySet<Scope>
  /** Those of them that are about data, not about a user. */
  readonly dataScopes: readonly Scope[]
  readonly idTokenAlgorithm: SigningAlgorithm
  /** SHA-256 of each secret that lives now; none for a public client. */
  readonly secretHashes: readonly Buffer[]
}
