// Host and port → a listening socket, before anything else is ready; until then it responds that it is starting.
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { StartFault } from '../db/embedded/start-fault.ts'
import { createServer } from './node-http.ts'
import { openCheckedLane } from './plain/open-checked-lane.ts'
import { noLane, type PlainLane, type PlainRoute } from './plain/plain-lane.ts'

export interface Binding {
  readonly server: Server
  readonly port: number
  lane: PlainLane
}

export type Handler = (request: IncomingMessage, response: ServerResponse) => void

const starting: Handler = (request, response) => {
  const alive = request.url === '/healthz'
  response.writeHead(alive ? 200 : 503, { 'content-type': 'application/json', 'retry-after': '1' })
  response.end(alive ? '{"status":"alive"}' : '{"status":"starting"}')
}

const explain = (error: NodeJS.ErrnoException, host: string, port: number): Error => {
  if (error.code === 'EADDRINUSE')
    return new StartFault(
      `Port ${port} on ${host} is used by another program. Stop it, or choose other ports with PORT and SANDBOX_PORT.`,
      error,
    )
  if (error.code === 'EACCES')
    return new StartFault(
      `This user may not listen on port ${port}. Choose ports of 1024 or above with PORT and SANDBOX_PORT.`,
      error,
    )
  return new StartFault(`The address ${host}:${port} cannot be bound: ${error.message}`, error)
}

/** A connection that is inactive for this long, with a request or response in progress, is closed. */
const SILENT_MS = 60_000

export const bind = (host: string, port: number): Promise<Binding> =>
  new Promise((resolve, reject) => {
    const server = createServer(starting)
    server.timeout = SILENT_MS
    server.once('error', error => reject(explain(error, host, port)))
    server.listen(port, host, () => resolve({ server, port: (server.address() as AddressInfo).port, lane: noLane }))
  })

/** From now on `handler` responds, also on connections that are already open. */
export const attach = async (binding: Binding, handler: Handler, plain?: PlainRoute): Promise<void> => {
  binding.server.removeListener('request', starting)
  binding.server.on('request', handler)
  if (plain !== undefined) binding.lane = await openCheckedLane(binding.server, plain)
}

/** No new connections; requests in progress may finish until the deadline. */
export const unbind = (binding: Binding, deadlineMs = 10_000): Promise<void> =>
  new Promise(resolve => {
    const deadline = setTimeout(() => {
      binding.lane.end()
      binding.server.closeAllConnections()
    }, deadlineMs)
    binding.server.close(() => {
      clearTimeout(deadline)
      resolve()
    })
    binding.lane.close()
    binding.server.closeIdleConnections()
  })
