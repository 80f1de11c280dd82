// A token, and how it was presented → nothing, if whoever presents it may use it (RFC 9449 section 7).
import { boundToken, invalidToken, proofFault } from '../faults.ts'
import { type CheckProof, ProofRefused } from './check-proof.ts'
import type { PresentedProof } from './proof.ts'

/**
 * How the caller shows that a token is its own: by having it; by a proof of its key; or not at all, where the question is about the token,
 * or its key was proven when a connection was opened.
 */
export type Possession = 'bearer' | 'not-asked' | { readonly proof: PresentedProof | undefined }

interface Presented {
  readonly token: string
  /** The key the token is bound to. */
  readonly thumbprint: string | undefined
  readonly possession: Possession
}

const noProofHere = (): Error =>
  invalidToken('Tokens that are bound to a key do not work on this connection. Send each request over HTTP.')

/** @throws {Fault} with status 401 */
export const checkPossession = async (
  check: CheckProof,
  { token, thumbprint, possession }: Presented,
): Promise<void> => {
  if (possession === 'not-asked') return
  if (possession === 'bearer') {
    if (thumbprint !== undefined) throw boundToken()
    return
  }
  if (thumbprint === undefined) throw invalidToken('This token is not bound to a key: send it as a bearer token.')
  if (possession.proof === undefined) throw noProofHere()
  try {
    await check(possession.proof, { token, thumbprint })
  } catch (error) {
    throw error instanceof ProofRefused ? proofFault(error) : error
  }
}
