// Refuses WebSocket upgrades: Node's server would treat the request as a plain GET without a query, and hide the reason.
import { Fault } from '../../base/fault.ts'
import type { IncomingRequest } from './transport.ts'

/** @throws {Fault} `bad_request` */
export const refuseUpgrade = ({ headers }: IncomingRequest): void => {
  if (headers.upgrade?.toLowerCase() !== 'websocket') return
  throw new Fault({
    code: 'bad_request',
    status: 400,
    message:
      'WebSocket is not spoken here. Send queries over HTTP, with POST or GET; to follow changes, ask again with GET and If-None-Match, which answers 304 while nothing changed.',
  })
}
