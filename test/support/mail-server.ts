// A mail server on loopback that stores what it receives, with just enough SMTP (RFC 5321) for that.

import type { AddressInfo } from 'node:net'
import { createServer, type Socket } from 'node:net'

export interface MailServer {
  readonly url: string
  /** Every message as received, headers and text. */
  readonly received: string[]
  close(): Promise<void>
}

/** What it says to a recipient; by default that all is well. */
type Refuse = (line: string) => string | undefined

const converse = (socket: Socket, received: string[], refuse: Refuse): void => {
  let buffer = ''
  let message: string[] | undefined
  const answerLine = (line: string): string | undefined => {
    if (message !== undefined && line !== '.') return void message.push(line)
    if (message !== undefined) {
      received.push(message.join('\n'))
      message = undefined
      return '250 kept'
    }
    const refusal = refuse(line)
    if (refusal !== undefined) return refusal
    if (/^data$/i.test(line)) message = []
    if (/^quit$/i.test(line)) setImmediate(() => socket.end())
    return /^data$/i.test(line) ? '354 go on' : /^quit$/i.test(line) ? '221 bye' : '250 fine'
  }
  socket.on('error', () => undefined)
  socket.write('220 ready\r\n')
  socket.on('data', chunk => {
    buffer += chunk
    const lines = buffer.split('\r\n')
    buffer = lines.pop() ?? ''
    for (const answer of lines.map(answerLine)) if (answer !== undefined) socket.write(`${answer}\r\n`)
  })
}

export const startMailServer = async (port = 0, refuse: Refuse = () => undefined): Promise<MailServer> => {
  const received: string[] = []
  const sockets = new Set<Socket>()
  const server = createServer(socket => {
    sockets.add(socket)
    converse(socket, received, refuse)
  })
  await new Promise<void>(resolve => server.listen(port, '127.0.0.1', resolve))
  return {
    url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
  }
}
