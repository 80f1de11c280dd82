// Keys and DPoP proofs (RFC 9449), right or wrong, and the requests that carry them.
import { calculateJwkThumbprint, exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose'
import { sha256Base64url } from '../../src/base/secrets.ts'
import type { Form } from './oauth.ts'

export interface ProofKey {
  readonly privateKey: CryptoKey
  readonly jwk: JWK
  readonly thumbprint: string
}

export const makeProofKey = async (algorithm = 'ES256'): Promise<ProofKey> => {
  const { privateKey, publicKey } = await generateKeyPair(algorithm, { extractable: true })
  const jwk = await exportJWK(publicKey)
  return { privateKey, jwk, thumbprint: await calculateJwkThumbprint(jwk) }
}

export interface ProofWishes {
  readonly method?: string
  readonly url: string
  /** The token that it is sent with. */
  readonly token?: string | undefined
  readonly nonce?: string | undefined
  /** Added or replaced; undefined removes one. */
  readonly claims?: Record<string, unknown>
  readonly header?: Record<string, unknown>
  readonly signer?: CryptoKey | Uint8Array
}

export const signProof = (key: ProofKey, wishes: ProofWishes): Promise<string> => {
  const { method = 'POST', url, token, nonce, claims = {}, header = {}, signer = key.privateKey } = wishes
  return new SignJWT({
    jti: crypto.randomUUID(),
    htm: method,
    htu: url,
    iat: Math.floor(Date.now() / 1000),
    ...(token === undefined ? {} : { ath: sha256Base64url(token) }),
    ...(nonce === undefined ? {} : { nonce }),
    ...claims,
  })
    .setProtectedHeader({ alg: 'ES256', typ: 'dpop+jwt', jwk: key.jwk, ...header })
    .sign(signer)
}

export interface Sending {
  readonly method?: string
  readonly url: string
  readonly headers?: Record<string, string>
  readonly body?: string | URLSearchParams
}

/** Sends a request with a proof; gets the nonce first, as a client would. */
export const sendProven = async (
  key: ProofKey,
  { method = 'POST', url, headers = {}, body }: Sending,
  wishes: Partial<ProofWishes> = {},
): Promise<Response> => {
  const send = async (nonce: string | undefined): Promise<Response> => {
    const dpop = await signProof(key, { method, url, nonce, ...wishes })
    return fetch(url, { method, headers: { ...headers, dpop }, ...(body === undefined ? {} : { body }) })
  }
  const first = await send(undefined)
  const nonce = first.headers.get('dpop-nonce')
  if (nonce === null) return first
  await first.body?.cancel()
  return send(nonce)
}

export const postProven = (
  key: ProofKey,
  url: string,
  form: Form,
  more: { readonly headers?: Record<string, string>; readonly wishes?: Partial<ProofWishes> } = {},
): Promise<Response> =>
  sendProven(key, { url, body: new URLSearchParams(form), headers: more.headers ?? {} }, more.wishes)
