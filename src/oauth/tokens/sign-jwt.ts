// Claims and a signing key → a compact JWS, signed in the thread pool while the main thread serves other requests.
// `node:crypto` with a callback has half the overhead of Web Crypto.
import { sign } from 'node:crypto'
import type { SigningKey, TokenType } from '../signing-keys/signing-key.ts'

/** RFC 7518 section 3.4: an ES256 signature is R and S concatenated, not DER. */
export const signJwt = (key: SigningKey, type: TokenType, claims: object): Promise<string> =>
  new Promise((resolve, reject) => {
    const signed = `${key.headers[type]}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}`
    sign('sha256', Buffer.from(signed), key.signer, (error, signature) => {
      if (error === null) resolve(`${signed}.${signature.toString('base64url')}`)
      else reject(error)
    })
  })
