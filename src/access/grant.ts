// What a bearer credential stands for: who asks, through which app, and what they may read.
import type { Scope } from './scopes.ts'

/** `*` is every masjid; otherwise exactly these. */
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
  /** The API key, where the credential is one. */
  readonly keyId: string | undefined
  /** The token's own id, where the credential is an access token. */
  readonly tokenId: string | undefined
  /** The authorization that tokens of one family share. */
  readonly grantId: string | undefined
  readonly scopes: ReadonlySet<Scope>
  /** How to get the scopes that are lacking, where that is known; told with the refusal. */
  readonly advice?: string
  /** The scopes in a fixed order: the same text for the same rights, for caches. */
  readonly scopeKey: string
  /** For an app: the masjids its reviewer gave it, and those whose own app it is. Empty for a user. */
  readonly masjids: MasjidReach
  readonly ownMasjids: MasjidReach
  /** Seconds since 1970; undefined where the credential does not expire. */
  readonly expiresAt: number | undefined
}
