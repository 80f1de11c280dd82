// The service as the issuer of tokens: its base URL, signing keys and clock.
import type { Clock } from '../base/clock.ts'
import type { LiveKeyRing } from './signing-keys/live-key-ring.ts'

export interface Issuer {
  /** The issuer, the audience, and the base of every endpoint. */
  readonly baseUrl: string
  /** The audience of development clients' tokens. */
  readonly sandboxUrl: string
  readonly keys: LiveKeyRing
  readonly clock: Clock
}
