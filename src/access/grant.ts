// The grant of a bearer credential: who makes the request, through which app, and what they may read and change.
import type { Scope } from './scopes.ts'

/** `*` is every masjid; otherwise only those listed. */
export type MasjidReach = '*' | readonly string[]

export interface Grant {
  /** `user`: an app acts for a person. `app`: an app acts for itself. `anonymous`: the sandbox without a credential. */
  readonly kind: 'user' | 'app' | 'anonymous'
  readonly credential: 'access_token' | 'api_key' | 'none'
  readonly environment: 'live' | 'test'
  /** The id of the app in the database, and its public name. */
  readonly appId: string | undefined
  readonly clientId: string | undefined
  readonly userId: string | undefined
  /** Set if the credential is an API key. */
  readonly keyId: string | undefined
  /** The limit of an API key, if its team set one. */
  readonly requestsPerMinute?: number | undefined
  /** The token's own id, if the credential is an access token. */
  readonly tokenId: string | undefined
  /** The authorization that tokens of one family share. */
  readonly grantId: string | undefined
  readonly scopes: ReadonlySet<Scope>
  /** How to get the missing scopes, if known; sent with the refusal. */
  readonly advice?: string
  /** The scopes in a fixed order, as a cache key: the same rights give the same string. */
  readonly scopeKey: string
  /**
   * For an app: the masjids a reviewer gave it, and those whose own app it is; by itself it writes only at the latter.
   * Empty for a user.
   */
  readonly masjids: MasjidReach
  readonly ownMasjids: MasjidReach
  /** For a user: only what is the person's own, whatever else they may read. */
  readonly ownRows?: boolean
  /** Seconds since 1970; undefined if the credential does not expire. */
  readonly expiresAt: number | undefined
  /** For a person's token: how strongly they signed in, if with more than a password, and when (seconds since 1970). */
  readonly acr?: string | undefined
  readonly authenticatedAt?: number | undefined
  /** The key that a token is bound to (RFC 9449). */
  readonly thumbprint?: string | undefined
}
