// Somebody on the way to another provider and back ↔ the `state` that goes with them: sealed for one browser, valid once, no row.
import { createHmac } from 'node:crypto'
import { seal, unseal } from '../../base/seal.ts'
import { randomToken } from '../../base/secrets.ts'

export interface Journey {
  readonly id: string
  readonly provider: string
  readonly purpose: 'sign_in' | 'link' | 'again'
  /** The authorization request that waits for this person. */
  readonly request: string | undefined
  /** In milliseconds since 1970. */
  readonly since: number
}

/** People sign in at the provider meanwhile, and may have to find their phone. */
const VALID_MS = 15 * 60 * 1000
const LONGEST_STATE = 2000

export interface Journeys {
  /** @returns the `state`. */
  begin(binding: string, journey: Omit<Journey, 'id' | 'since'>, now: Date): { journey: Journey; state: string }
  /** Undefined unless it began in this browser, and lately. */
  resume(binding: string, state: string, now: Date): Journey | undefined
  /** In the ID token, which is thereby the answer to this journey and to no other. */
  nonce(journey: Journey): string
  /** PKCE (RFC 7636): a code that somebody else sees is worth nothing. */
  verifier(journey: Journey): string
}

export const createJourneys = (secret: Buffer): Journeys => {
  const sealedFor = (binding: string) => ({ name: `provider ${binding}`, secret })
  const derive = (purpose: string, { id }: Journey): string =>
    createHmac('sha256', secret).update(`${purpose} ${id}`).digest('base64url')
  const open = (binding: string, state: string): Journey | undefined => {
    try {
      return JSON.parse(unseal(Buffer.from(state, 'base64url'), sealedFor(binding)).toString())
    } catch {
      return undefined
    }
  }
  return {
    begin: (binding, begun, now) => {
      const journey = { ...begun, id: randomToken(16), since: now.getTime() }
      return { journey, state: seal(Buffer.from(JSON.stringify(journey)), sealedFor(binding)).toString('base64url') }
    },
    resume: (binding, state, now) => {
      const journey = state.length > LONGEST_STATE ? undefined : open(binding, state)
      return journey !== undefined && now.getTime() - journey.since < VALID_MS ? journey : undefined
    },
    nonce: journey => derive('nonce', journey),
    verifier: journey => derive('verifier', journey),
  }
}
