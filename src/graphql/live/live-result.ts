// The data of a subscription → the payload that all its subscribers are sent, in one line, and framed once for those who share a frame.
import { hash } from 'node:crypto'

export interface LiveResult {
  /** `{"data":…}`, without line breaks. */
  readonly payload: string
  /** The same for the same data. */
  readonly fingerprint: string
  /** The payload as an event of GraphQL over SSE. */
  event(): Buffer
}

/** Outside of strings, where JSON has none, line breaks mean nothing. */
const inOneLine = (json: string): string => json.replaceAll('\n', '')

export const createLiveResult = (body: string): LiveResult => {
  const payload = inOneLine(body)
  let event: Buffer | undefined
  return {
    payload,
    fingerprint: hash('sha256', payload, 'base64'),
    event: () => {
      event ??= Buffer.from(`event: next\ndata: ${payload}\n\n`)
      return event
    },
  }
}
