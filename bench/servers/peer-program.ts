// Shared by every peer's program: settings from the environment, and the message that it is ready.
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'

export const peerSettings = <T>(): T => JSON.parse(process.env.BENCH ?? '{}') as T

/** Listens on a free loopback port and reports it to the suite; exits when the suite does. */
export const serveAsPeer = (server: Server): void => {
  process.once('disconnect', () => process.exit(0))
  server.keepAliveTimeout = 120_000
  server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }))
}
