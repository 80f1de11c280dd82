// The text of a feed → its bytes and its entity tag, made once for everybody who is sent the same.
import { sha256Base64url } from '../base/secrets.ts'

export interface FeedText {
  readonly bytes: Buffer
  readonly tag: string
}

export const feedTextOf = (text: string): FeedText => {
  const bytes = Buffer.from(text)
  return { bytes, tag: `"${sha256Base64url(bytes).slice(0, 27)}"` }
}
