// The protocol graphql-transport-ws, of the library graphql-ws.
// https://github.com/enisdenjo/graphql-ws/blob/master/PROTOCOL.md
import type { ClientMessage, Dialect } from './dialect.ts'
import { readEnvelope } from './read-envelope.ts'

const read = (text: string): ClientMessage | undefined => {
  const { type, id, payload } = readEnvelope(text) ?? {}
  if (type === 'connection_init') return { type: 'init', payload: payload ?? {} }
  if (type === 'ping') return { type, payload }
  if (type === 'pong') return { type }
  if (id === undefined) return undefined
  if (type === 'complete') return { type: 'stop', id }
  return type === 'subscribe' && payload !== undefined ? { type: 'start', id, payload } : undefined
}

export const graphqlTransportWs: Dialect = {
  protocol: 'graphql-transport-ws',
  mayHurry: false,
  forgives: false,
  read,
  accepted: ['{"type":"connection_ack"}'],
  aliveness: undefined,
  pong: payload => JSON.stringify({ type: 'pong', ...(payload === undefined ? {} : { payload }) }),
  next: (id, result) => `{"id":${JSON.stringify(id)},"type":"next","payload":${result}}`,
  failed: (id, errors) => JSON.stringify({ id, type: 'error', payload: errors }),
  complete: id => JSON.stringify({ id, type: 'complete' }),
  stopped: () => undefined,
  complaint: () => undefined,
}
