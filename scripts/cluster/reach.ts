// A Unix socket → a free port of this machine that leads there, for whoever can only use ports.
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { joinSockets } from './join-sockets.ts'

export interface Reached {
  readonly port: number
  close(): void
}

export const reach = async (socket: string): Promise<Reached> => {
  const open = new Set<Socket>()
  const server = createServer({ allowHalfOpen: true }, client => {
    const other = connect({ path: socket, allowHalfOpen: true })
    for (const one of [client, other]) open.add(one.once('close', () => open.delete(one)))
    joinSockets(client, other)
  })
  await new Promise<void>(resolve => void server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    close: () => {
      server.close()
      for (const one of open) one.destroy()
    },
  }
}
