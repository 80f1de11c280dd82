// The limit of a page: Fastify that sends a string of a given length, and does nothing else.
import Fastify from 'fastify'
import { peerSettings, serveAsPeer } from './peer-program.ts'

export interface BareRouteSettings {
  /** The path of each route, and how many bytes it sends. */
  readonly lengths: Readonly<Record<string, number>>
}

const server = Fastify()
for (const [path, length] of Object.entries(peerSettings<BareRouteSettings>().lengths)) {
  const body = 'm'.repeat(length)
  server.get(path, (_request, reply) => reply.header('content-type', 'text/html; charset=utf-8').send(body))
}

await server.ready()
serveAsPeer(server.server)
