// A message and the secrets of its endpoint → the headers of Standard Webhooks.
// https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
import { createHmac } from 'node:crypto'

export interface Message {
  readonly id: string
  readonly sentAt: Date
  readonly body: string
}

const sign = (secret: Buffer, content: string): string =>
  `v1,${createHmac('sha256', secret).update(content).digest('base64')}`

/** One signature for each secret, so that a receiver may know either of them. */
export const signedHeaders = ({ id, sentAt, body }: Message, secrets: readonly Buffer[]): Record<string, string> => {
  const timestamp = String(Math.floor(sentAt.getTime() / 1000))
  const content = `${id}.${timestamp}.${body}`
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': secrets.map(secret => sign(secret, content)).join(' '),
  }
}
