// A relay between the service and PostgreSQL that notes the text of every statement that is run.
// https://www.postgresql.org/docs/current/protocol-message-formats.html
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export interface StatementRelay {
  readonly port: number
  /** The texts of the statements that were run, in order. */
  readonly statements: string[]
  close(): Promise<void>
}

/** A folder is that of a socket. */
const open = ({ host, port }: Target): Socket =>
  host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host)

interface Target {
  readonly host: string
  readonly port: number
}

const textsIn = (body: Buffer): string[] => body.toString('utf8').split('\0')

/** The messages of one client → the texts of what it runs. */
const createReader = (onStatement: (text: string) => void) => {
  const prepared = new Map<string, string>()
  let rest = Buffer.alloc(0)
  let isStarted = false

  const take = (type: string, body: Buffer): void => {
    const [first = '', second = ''] = textsIn(body)
    if (type === 'P') prepared.set(first, second)
    // A portal, then the statement that is bound to it.
    else if (type === 'B') onStatement(prepared.get(second) ?? '')
    else if (type === 'Q') onStatement(first)
  }

  return (part: Buffer): void => {
    rest = Buffer.concat([rest, part])
    for (;;) {
      // The first message has no type.
      const at = isStarted ? 1 : 0
      if (rest.length < at + 4) return
      const end = at + rest.readUInt32BE(at)
      if (rest.length < end) return
      if (isStarted) take(String.fromCharCode(rest[0] ?? 0), rest.subarray(at + 4, end))
      isStarted = true
      rest = rest.subarray(end)
    }
  }
}

export const relayStatements = async (target: Target): Promise<StatementRelay> => {
  const statements: string[] = []
  const sockets = new Set<Socket>()
  const server = createServer(client => {
    const database = open(target)
    const read = createReader(text => statements.push(text))
    for (const [from, to] of [
      [client, database],
      [database, client],
    ] as const) {
      sockets.add(from)
      from.on('error', () => to.destroy())
      from.on('close', () => to.destroy())
      from.pipe(to)
    }
    client.on('data', read)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    statements,
    close: () =>
      new Promise(resolve => {
        for (const socket of sockets) socket.destroy()
        server.close(() => resolve())
      }),
  }
}
