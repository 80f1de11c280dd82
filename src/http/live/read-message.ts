// The text of a WebSocket message → a message of graphql-transport-ws; undefined if it is none.
// https://github.com/enisdenjo/graphql-ws/blob/master/PROTOCOL.md
import { parseExact } from '../../base/exact-json.ts'

type Payload = Readonly<Record<string, unknown>>

export type ClientMessage =
  | { readonly type: 'connection_init'; readonly payload: Payload }
  | { readonly type: 'ping' | 'pong'; readonly payload: Payload | undefined }
  | { readonly type: 'subscribe'; readonly id: string; readonly payload: Payload }
  | { readonly type: 'complete'; readonly id: string }

const isMap = (value: unknown): value is Payload => typeof value === 'object' && value !== null && !Array.isArray(value)

const LONGEST_ID = 200

const isId = (id: unknown): id is string => typeof id === 'string' && id !== '' && id.length <= LONGEST_ID

const parse = (text: string): unknown => {
  try {
    return parseExact(text)
  } catch {
    return undefined
  }
}

export const readMessage = (text: string): ClientMessage | undefined => {
  const message = parse(text)
  if (!isMap(message)) return undefined
  const { type, id, payload } = message
  const given = payload ?? undefined
  if (given !== undefined && !isMap(given)) return undefined
  if (type === 'connection_init') return { type, payload: given ?? {} }
  if (type === 'ping' || type === 'pong') return { type, payload: given }
  if (!isId(id)) return undefined
  if (type === 'complete') return { type, id }
  return type === 'subscribe' && given !== undefined ? { type, id, payload: given } : undefined
}

/** A member under its name in any capitals. */
const memberOf = (payload: Payload, name: string): unknown =>
  Object.entries(payload).find(([key]) => key.toLowerCase() === name)?.[1]

/** `{"Authorization": "Bearer …"}`, or the same within `headers`, as Hasura's clients send it. */
export const authorizationIn = (payload: Payload): string | undefined => {
  const headers = memberOf(payload, 'headers')
  const found = memberOf(payload, 'authorization') ?? (isMap(headers) ? memberOf(headers, 'authorization') : undefined)
  return typeof found === 'string' ? found : undefined
}
