// The text of a WebSocket message → its type, id and payload; undefined if it is no message of either protocol.
import { parseExact } from '../../../base/exact-json.ts'

export type Payload = Readonly<Record<string, unknown>>

export interface Envelope {
  readonly type: string
  readonly id: string | undefined
  readonly payload: Payload | undefined
}

export const isMap = (value: unknown): value is Payload =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const LONGEST_ID = 200

const readId = (id: unknown): string | undefined =>
  typeof id === 'string' && id !== '' && id.length <= LONGEST_ID ? id : undefined

const parse = (text: string): unknown => {
  try {
    return parseExact(text)
  } catch {
    return undefined
  }
}

/** `counts`: ids may be numbers. */
export const readEnvelope = (text: string, counts = false): Envelope | undefined => {
  const message = parse(text)
  if (!isMap(message) || typeof message.type !== 'string') return undefined
  const payload = message.payload ?? undefined
  if (payload !== undefined && !isMap(payload)) return undefined
  const id = counts && typeof message.id === 'number' ? String(message.id) : message.id
  return { type: message.type, id: readId(id), payload }
}
