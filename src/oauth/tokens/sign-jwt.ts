// Claims and a signing key → a compact JWS, signed by the pool of threads while this one answers others. `node:crypto`
// with a callback costs half of what web crypto does on the way there.
import { sign } from 'node:crypto'
import type { SigningKey, TokenType } from '../signing-keys/signing-key.ts'

/** RFC 7518 section 3.4: the signature of ES256 is R and S side by side, not DER. */
export const signJwt = (key: SigningKey, type: TokenType, claims: object): Promise<string> =>
  new Promise((resolve, reject) => {
    const signed = `${key.headers[type]}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}`
    sign('sha256', Buffer.from(signed), key.signer, (error, signature) => {
      if (error === null) resolve(`${signed}.${signature.toString('base64url')}`)
      else reject(error)
    })
  })
