// Refuses WebSocket upgrades where there are no subscriptions: Node's server would treat the request as a plain GET
// without a query, and hide the reason.
import { Fault } from '../../base/fault.ts'
import type { IncomingRequest } from './transport.ts'

/** @throws {Fault} `bad_request` */
export const refuseUpgrade = ({ headers }: IncomingRequest): void => {
  if (headers.upgrade?.toLowerCase() !== 'websocket') return
  throw new Fault({
    code: 'bad_request',
    status: 400,
    message:
      'WebSockets are spoken at /v1/graphql, with the protocol graphql-transport-ws. Send queries over HTTP, with POST or GET.',
  })
}
