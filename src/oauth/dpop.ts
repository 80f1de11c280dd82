// DPoP at the authorization server (RFC 9449 sections 5 and 10): a proof → the thumbprint of the key that tokens are bound to.
import { type CheckProof, ProofRefused } from '../access/dpop/check-proof.ts'
import { Fault } from '../base/fault.ts'
import type { Client } from './clients/client.ts'
import { invalidRequest } from './oauth-fault.ts'
import type { Parameters } from './parameters.ts'

/** RFC 7638: SHA-256 in base64url. */
const THUMBPRINT = /^[A-Za-z0-9_-]{43}$/

/** Sections 5 and 8: 400, with a nonce if that is what the next proof needs. */
const refuse = ({ message, nonce, cause }: ProofRefused): Fault =>
  new Fault({
    code: nonce === undefined ? 'invalid_dpop_proof' : 'use_dpop_nonce',
    status: 400,
    message,
    cause,
    headers: nonce === undefined ? {} : { 'dpop-nonce': nonce },
  })

export interface PostedProof {
  /** The DPoP header; undefined if there is none. */
  readonly text: string | undefined
  /** The address of the endpoint. */
  readonly address: string
}

/** Undefined without a proof. @throws {Fault} `invalid_dpop_proof` or `use_dpop_nonce` */
const readProof = async (check: CheckProof, { text, address }: PostedProof): Promise<string | undefined> => {
  if (text === undefined) return undefined
  try {
    return await check({ text, method: 'POST', address })
  } catch (error) {
    throw error instanceof ProofRefused ? refuse(error) : error
  }
}

/** Screens get bearer tokens, whatever they send. @throws {Fault} also if the app has chosen to be asked for a proof and sends none. */
export const provenKey = async (
  check: CheckProof,
  { requiresProof, grantsTo }: Client,
  proof: PostedProof,
): Promise<string | undefined> => {
  if (grantsTo === 'masjid') return undefined
  const thumbprint = await readProof(check, proof)
  if (requiresProof && thumbprint === undefined)
    throw invalidRequest('This app gets tokens only with a proof of its key: send a DPoP header.')
  return thumbprint
}

/** Section 10: the key that the code will be bound to. */
export const checkDpopJkt = ({ dpop_jkt: thumbprint }: Parameters): string | undefined => {
  if (thumbprint !== undefined && !THUMBPRINT.test(thumbprint))
    throw invalidRequest('The dpop_jkt must be the SHA-256 thumbprint of a key: 43 characters.')
  return thumbprint
}

/** Section 10.1: a pushed request may carry a proof instead of dpop_jkt; with both, they must agree. */
export const pushedKey = async (
  check: CheckProof,
  named: string | undefined,
  proof: PostedProof,
): Promise<string | undefined> => {
  const proven = await readProof(check, proof)
  if (proven !== undefined && named !== undefined && proven !== named)
    throw invalidRequest('The dpop_jkt is not the key of the DPoP proof.')
  return proven ?? named
}
