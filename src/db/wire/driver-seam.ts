// A connected driver client → its socket, for our use alone. This is the only place that relies on the internals of `pg`:
//
// 1. `client.connection.stream` is the socket, either the one we created or the TLS socket around it;
// 2. the driver reads it through one `data` listener and nothing else;
// 3. once connected, and with no query of its own in progress, the driver writes nothing until `end()`.
//
// The first is checked when a reader is created, the second whenever a socket is taken over, and all three by
// driver-seam.test.ts against a real server. `KNOWN_DRIVER` is the version they were last checked against.
import { Socket } from 'node:net'
import pg from 'pg'
import { createReusingSocket, takeBytes } from './reusing-socket.ts'

export const KNOWN_DRIVER = '8.23.1'

const unfit = (what: string): Error =>
  new Error(`The driver "pg" is not as src/db/wire/driver-seam.ts needs it: ${what}. Install pg ${KNOWN_DRIVER}.`)

/** A TLS connection wraps its socket in one that reads for itself. */
const socketFor = ({ ssl }: { readonly ssl?: unknown }): Socket => (ssl ? new Socket() : createReusingSocket())

export const createDriverClient = (config: pg.ClientConfig): pg.Client =>
  new pg.Client({ ...config, stream: socketFor as unknown as () => Socket })

/** @throws if the installed driver does not expose its socket. Connects nothing. */
export const checkDriver = (): void => {
  const own = new Socket()
  const client = new pg.Client({ stream: (() => own) as () => Socket })
  if (client.connection?.stream !== own) throw unfit('client.connection.stream is not the socket that it was given')
}

export interface TakenSocket {
  readonly write: (bytes: Buffer) => void
  readonly destroy: (error: Error) => void
}

/**
 * From now on the driver neither reads nor writes, apart from `end()`.
 * @param read is given bytes that are valid until it returns.
 */
export const takeSocket = (client: pg.Client, read: (bytes: Buffer) => void): TakenSocket => {
  const socket = client.connection.stream as Socket
  if (socket.listenerCount('data') !== 1) throw unfit('it does not read its socket with one listener for data')
  takeBytes(socket, read)
  return { write: bytes => void socket.write(bytes), destroy: error => void socket.destroy(error) }
}
