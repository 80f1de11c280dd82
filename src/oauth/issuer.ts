// The service as the issuer of tokens: its address, its signing keys, its clock.
import type { Clock } from '../base/clock.ts'
import type { LiveKeyRing } from './signing-keys/live-key-ring.ts'

export interface Issuer {
  /** The issuer, the audience, and where every endpoint is. */
  readonly baseUrl: string
  readonly keys: LiveKeyRing
  readonly clock: Clock
}
