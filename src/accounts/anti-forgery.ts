// What a form belongs to (a session, or the form cookie of a signed-out browser) ↔ the token in its hidden field.
import { createHmac } from 'node:crypto'
import { deriveSecrets, equalBytes, randomToken, type Secrets } from '../base/secrets.ts'

/** Names what a token is bound to; two bindings never share a token. */
export const sessionBinding = (sessionId: string): string => `session:${sessionId}`
export const browserBinding = (browserId: string): string => `browser:${browserId}`

export interface AntiForgery {
  /** Different each time, so that the size of a compressed page reveals nothing about it (BREACH). */
  tokenFor(binding: string): string
  matches(binding: string, token: unknown): boolean
  /** A cookie value for a signed-out browser. */
  newBrowserCookie(): string
  /** The id in such a cookie; undefined if we did not sign it. */
  readBrowserCookie(cookie: string | undefined): string | undefined
}

export const createAntiForgery = (secrets: Secrets): AntiForgery => {
  const keys = deriveSecrets(secrets, 'anti-forgery')
  const sign = (text: string, key = keys[0]): string => createHmac('sha256', key).update(text).digest('base64url')
  const signed = (purpose: string, value: string, signature: string): boolean =>
    keys.some(key => equalBytes(Buffer.from(signature), Buffer.from(sign(`${purpose}|${value}`, key))))
  return {
    tokenFor: binding => {
      const nonce = randomToken(12)
      return `${nonce}.${sign(`form|${nonce}|${binding}`)}`
    },
    matches: (binding, token) => {
      if (typeof token !== 'string') return false
      const [nonce = '', signature = '', ...rest] = token.split('.')
      return rest.length === 0 && signed('form', `${nonce}|${binding}`, signature)
    },
    newBrowserCookie: () => {
      const id = randomToken(18)
      return `${id}.${sign(`cookie|${id}`)}`
    },
    readBrowserCookie: cookie => {
      const [id = '', signature = '', ...rest] = (cookie ?? '').split('.')
      return rest.length === 0 && signed('cookie', id, signature) ? id : undefined
    },
  }
}
