// A proxy in front of a service: passes every request on, with whatever headers it adds. Closed by whoever opened it.
import { createServer, request as sendRequest } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Forwarding {
  readonly url: string
  close(): Promise<void>
}

/** @param target called for each request, as the service may start later than the proxy */
export const openForwarding = async (
  target: () => string,
  added: (client: string) => Readonly<Record<string, string>>,
): Promise<Forwarding> => {
  const server = createServer((request, response) => {
    const headers = { ...request.headers, ...added(request.socket.remoteAddress ?? '') }
    const passed = sendRequest(target() + request.url, { method: request.method, headers, agent: false }, answer => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    })
    passed.on('error', () => response.destroy())
    request.pipe(passed)
  })
  await new Promise<void>(resolve => void server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.closeAllConnections()
      await new Promise(resolve => void server.close(resolve))
    },
  }
}
