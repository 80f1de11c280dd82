// Claims and a signing key → a compact JWS, signed in the thread pool while the main thread serves other requests.
// `node:crypto` with a callback has half the overhead of Web Crypto.
import { sign } from 'node:crypto'
import type { SigningKey, TokenType } from '../signing-keys/signing-key.ts'

/** RFC 7518 section 3.4: an ES256 signature is R and S concatenated, not DER. */
const signInPool = ({ signer }: SigningKey, text: string): Promise<string> =>
  new Promise((resolve, reject) => {
    sign('sha256', Buffer.from(text, 'latin1'), signer, (error, signature) => {
      if (error === null) resolve(`${text}.${signature.toString('base64url')}`)
      else reject(error)
    })
  })

/** What requests that were read together want signed goes to the pool in one go: each alone would wake a thread. */
const MOST_TOGETHER = 8
let wanted: (() => void)[] = []

const startWanted = (): void => {
  const starts = wanted
  wanted = []
  for (const start of starts) start()
}

export const signJwt = (key: SigningKey, type: TokenType, claims: object): Promise<string> =>
  new Promise(resolve => {
    const text = `${key.headers[type]}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}`
    if (wanted.length === 0) setImmediate(startWanted)
    wanted.push(() => resolve(signInPool(key, text)))
    if (wanted.length === MOST_TOGETHER) startWanted()
  })
