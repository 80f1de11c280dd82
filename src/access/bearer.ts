// The Authorization header → the credential in it: a bearer, or a token that comes with a proof of its key.
import type { Possession } from './dpop/possession.ts'
import { type PresentingRequest, proofOf } from './dpop/proof.ts'
import { missingToken } from './faults.ts'

const shape = /^(bearer|dpop) +([\w.~+/-]+=*) *$/i

const USUAL = 'Bearer '

/** Expects the usual spelling and does not validate the characters: only good for looking up a known credential. */
export const likelyBearer = (authorization: string | undefined): string | undefined =>
  authorization?.startsWith(USUAL) === true ? authorization.slice(USUAL.length) : undefined

export interface PresentedCredential {
  readonly text: string
  readonly possession: Possession
}

/**
 * @param baseUrl of the listener that got the request: proofs name its address.
 * @throws {Fault} `missing_token` if there is none.
 */
export const credentialOf = (request: PresentingRequest, baseUrl: string): PresentedCredential => {
  const { authorization } = request.headers
  const [, scheme = '', text] = (authorization === undefined ? null : shape.exec(authorization)) ?? []
  if (text === undefined) throw missingToken()
  const isBound = scheme.toLowerCase() === 'dpop'
  return { text, possession: isBound ? { proof: proofOf(request, baseUrl) } : 'bearer' }
}

/** Of a connection that is still open. @throws {Fault} `missing_token` */
export const provenBefore = (authorization: string | undefined): PresentedCredential => ({
  ...credentialOf({ headers: { authorization } }, ''),
  possession: 'not-asked',
})

/** @throws {Fault} `missing_token` if there is none, or it comes with a proof where none is accepted. */
export const bearerOf = (authorization: string | undefined): string => {
  const { text, possession } = credentialOf({ headers: { authorization } }, '')
  if (possession !== 'bearer') throw missingToken()
  return text
}
