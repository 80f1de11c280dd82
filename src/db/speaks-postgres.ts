// A host and port → whether something other than PostgreSQL answers there.
import { connect } from 'node:net'

const PROBE_MS = 1000
/** https://www.postgresql.org/docs/current/protocol-message-formats.html: SSLRequest. */
const SSL_REQUEST = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47])
const answers = new Set(['S', 'N', 'E'])

/** False only if something answered, and in another protocol. */
export const speaksPostgres = (host: string, port: number): Promise<boolean> =>
  new Promise(resolve => {
    const socket = connect(port, host)
    const settle = (speaks: boolean): void => {
      socket.destroy()
      resolve(speaks)
    }
    socket.setTimeout(PROBE_MS, () => settle(true))
    socket.once('connect', () => socket.write(SSL_REQUEST))
    socket.once('data', bytes => settle(answers.has(bytes.toString('latin1', 0, 1))))
    socket.once('error', () => settle(true))
  })
