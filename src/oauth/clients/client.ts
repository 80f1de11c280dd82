// An app as the authorization server sees it: an OAuth client.
import type { JSONWebKeySet } from 'jose'
import type { Claim } from '../../access/claims.ts'
import type { Scope } from '../../access/scopes.ts'
import type { Lifetimes } from '../../apps/lifetimes.ts'
import type { SigningAlgorithm } from '../signing-keys/signing-key.ts'

type ClientState = 'pending' | 'approved' | 'rejected' | 'suspended'

export interface ClientSecret {
  readonly id: string
  /** SHA-256 */
  readonly hash: Buffer
}

export interface Client extends Lifetimes {
  readonly appId: string
  readonly clientId: string
  readonly name: string
  readonly description: string
  /** Where an app that describes itself has its document; null for one that somebody registered. */
  readonly host: string | null
  /** Whether it reaches only what is the person's own, since nobody has approved that host. */
  readonly ownRows: boolean
  /** Until when that document need not be read again. */
  readonly freshUntil: Date | null
  /** Null for an app that is part of the service, and for one that describes itself. */
  readonly ownerId: string | null
  readonly ownerName: string
  readonly homePage: string | null
  readonly logo: string | null
  readonly kind: 'public' | 'confidential'
  /** A development client: for the team of its app, on loopback addresses, with tokens that only the sandbox accepts. */
  readonly development: boolean
  readonly state: ClientState
  readonly redirectUris: readonly string[]
  readonly postLogoutRedirectUris: readonly string[]
  /** Granted by a reviewer. */
  readonly scopes: ReadonlySet<Scope>
  /** The granted scopes that are about data, not about a user. */
  readonly dataScopes: readonly Scope[]
  /** The claims a reviewer lets it see of people who consented without `openid`. */
  readonly plainClaims: readonly Claim[]
  /** Whether its secret may be sent in the form too, or only with HTTP Basic. */
  readonly clientAuthentication: 'basic_or_post' | 'basic'
  /** Whether its devices may ask with a code (RFC 8628). */
  readonly deviceFlow: 'off' | 'on'
  /** Whose its grants are: of the person who allows it, or of a masjid. */
  readonly grantsTo: 'person' | 'masjid'
  readonly idTokenAlgorithm: SigningAlgorithm
  /** Whether every token is bound to a key (`dpop_bound_access_tokens` of RFC 9449 section 5.2). */
  readonly requiresProof: boolean
  /** The keys it signs assertions with, or where it publishes them: then no secret is accepted. */
  readonly jwks: JSONWebKeySet | null
  readonly jwksUri: string | null
  /** The active ones; none for a public client. */
  readonly secrets: readonly ClientSecret[]
}
