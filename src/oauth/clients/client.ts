// An app as the authorization server sees it: an OAuth client.
import type { Claim } from '../../access/claims.ts'
import type { Scope } from '../../access/scopes.ts'
import type { SigningAlgorithm } from '../signing-keys/signing-key.ts'

type ClientState = 'pending' | 'approved' | 'rejected' | 'suspended'

export interface ClientSecret {
  readonly id: string
  /** SHA-256 */
  readonly hash: Buffer
}

export interface Client {
  readonly appId: string
  readonly clientId: string
  readonly name: string
  readonly ownerId: string
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
  /** What its reviewer lets it see of people who agreed to it without `openid`. */
  readonly plainClaims: readonly Claim[]
  /** Whether its secret may stand in the form, or in the header of HTTP Basic only. */
  readonly clientAuthentication: 'basic_or_post' | 'basic'
  readonly idTokenAlgorithm: SigningAlgorithm
  /** Those that live now; none for a public client. */
  readonly secrets: readonly ClientSecret[]
}
