// The older protocol, of the library subscriptions-transport-ws, which is called graphql-ws: clients made for Hasura may know no other.
// https://github.com/apollographql/subscriptions-transport-ws/blob/master/PROTOCOL.md
import type { Refusal } from '../../../graphql/errors.ts'
import type { ClientMessage, Dialect } from './dialect.ts'
import { readEnvelope } from './read-envelope.ts'

/** Its first clients count their operations. */
const read = (text: string): ClientMessage | undefined => {
  const { type, id, payload } = readEnvelope(text, true) ?? {}
  if (type === 'connection_init') return { type: 'init', payload: payload ?? {} }
  if (type === 'connection_terminate') return { type: 'terminate' }
  if (id === undefined) return undefined
  if (type === 'stop') return { type, id }
  return type === 'start' && payload !== undefined ? { type, id, payload } : undefined
}

/** One error; clients that know of several find them within it. */
const errorOf = (errors: Refusal['errors']): object => {
  const [first, ...more] = errors
  return { ...first, ...(more.length === 0 ? {} : { errors }) }
}

const ALIVE = '{"type":"ka"}'

export const graphqlWs: Dialect = {
  protocol: 'graphql-ws',
  mayHurry: true,
  forgives: true,
  read,
  accepted: ['{"type":"connection_ack"}', ALIVE],
  aliveness: ALIVE,
  pong: () => undefined,
  next: (id, result) => `{"id":${JSON.stringify(id)},"type":"data","payload":${result}}`,
  failed: (id, errors) => JSON.stringify({ id, type: 'error', payload: errorOf(errors) }),
  complete: id => JSON.stringify({ id, type: 'complete' }),
  stopped: id => JSON.stringify({ id, type: 'complete' }),
  complaint: message => JSON.stringify({ type: 'connection_error', payload: { message } }),
}
