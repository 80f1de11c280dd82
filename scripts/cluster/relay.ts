// Unix sockets → addresses inside: runs in the namespaces of the cluster, where we cannot connect ourselves. Its arguments are `SOCKET=HOST:PORT`.
import { connect, createServer } from 'node:net'
import { joinSockets } from './join-sockets.ts'

for (const word of process.argv.slice(2)) {
  const [socket = '', place = ''] = word.split('=')
  const [host, port] = place.split(':')
  createServer({ allowHalfOpen: true }, client =>
    joinSockets(client, connect({ host, port: Number(port), allowHalfOpen: true })),
  ).listen(socket)
}
