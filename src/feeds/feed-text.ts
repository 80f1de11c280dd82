// The text of a feed → its bytes and its entity tag, made once for everybody who is sent the same.
import { sha256Base64url } from '../base/secrets.ts'

export interface FeedText {
  readonly bytes: Buffer
  readonly tag: string
}

export const feedTextOf = (text: string): FeedText => ({
  bytes: Buffer.from(text),
  tag: `"${sha256Base64url(text).slice(0, 27)}"`,
})
