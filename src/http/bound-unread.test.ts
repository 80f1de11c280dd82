import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { boundUnread } from './bound-unread.ts'

const MEBIBYTE = 1024 * 1024
/** Far more than the system takes off the server's hands. */
const body = Buffer.alloc(16 * MEBIBYTE, 'x')

let server: Server
const atServer: Socket[] = []
before(async () => {
  server = createServer((_, response) => void response.end(body))
  server.on('connection', socket => atServer.push(socket))
  boundUnread(server, { mostBytes: 40 * MEBIBYTE, mostMs: 200, lookEveryMs: 10 })
  await new Promise<void>(resolve => void server.listen(0, '127.0.0.1', resolve))
})
after(() => {
  server.closeAllConnections()
  server.close()
})

const until = async (what: string, holds: () => boolean): Promise<void> => {
  for (const deadline = Date.now() + 30_000; !holds(); await delay(5)) assert.ok(Date.now() < deadline, what)
}

const openSilent = async (): Promise<Socket> => {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').pause()
  await once(socket, 'connect')
  const { port } = socket.address() as AddressInfo
  socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n')
  await until('it is answered', () => atServer.some(one => one.remotePort === port && one.writableLength > 0))
  return socket
}

test('as much as the bound may be left unread; of more, the longest unread is closed', async () => {
  const few = [await openSilent(), await openSilent()]
  await delay(500)
  assert.deepEqual(
    atServer.map(({ destroyed }) => destroyed),
    [false, false],
  )
  const many = [await openSilent(), await openSilent()]
  await until('the first is closed', () => atServer[0]?.destroyed === true)
  await until(
    'it is within the bound',
    () => atServer.reduce((sum, one) => sum + (one.destroyed ? 0 : one.writableLength), 0) <= 40 * MEBIBYTE,
  )
  assert.equal(atServer.at(-1)?.destroyed, false, 'the newest is left alone')
  const reader = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
  assert.equal((await reader.bytes()).length, body.length)
  for (const socket of [...few, ...many]) socket.destroy()
})
