// An ID token sent back as a hint → the user and client it names, if we issued it; its age does not matter.
import { compactVerify, importJWK } from 'jose'
import type { KeyRing } from '../signing-keys/key-ring.ts'

export interface HintedSignIn {
  readonly userId: string
  readonly clientId: string
}

const readClaims = (payload: Uint8Array): Record<string, unknown> =>
  JSON.parse(new TextDecoder().decode(payload)) as Record<string, unknown>

/** OpenID Connect Core section 3.1.2.1: the hint may have expired. Checking the type keeps out access tokens. */
export const readIdTokenHint = async (
  ring: KeyRing,
  issuer: string,
  hint: string,
): Promise<HintedSignIn | undefined> => {
  try {
    const { payload, protectedHeader } = await compactVerify(hint, async ({ kid, alg }) => {
      const key = ring.keys.find(candidate => candidate.kid === kid && candidate.algorithm === alg)
      if (key === undefined) throw new Error('not one of our keys')
      return importJWK(key.publicJwk, key.algorithm)
    })
    const { iss, sub, aud } = readClaims(payload)
    if (protectedHeader.typ !== 'JWT' || iss !== issuer) return undefined
    return typeof sub === 'string' && typeof aud === 'string' ? { userId: sub, clientId: aud } : undefined
  } catch {
    return undefined
  }
}
