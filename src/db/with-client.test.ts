import assert from 'node:assert/strict'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { test } from 'node:test'
import { withClient } from './with-client.ts'

const message = (type: string, body: Buffer): Buffer => {
  const head = Buffer.alloc(5, type)
  head.writeInt32BE(body.length + 4, 1)
  return Buffer.concat([head, body])
}

/** Takes everybody in, and says nothing from then on: as a server does whose network was cut after its last answer. */
const startSilent = async () => {
  const open = new Set<Socket>()
  const server = createServer({ allowHalfOpen: true }, socket => {
    open.add(socket)
    socket.once('data', () => {
      socket.write(Buffer.concat([message('R', Buffer.alloc(4)), message('Z', Buffer.from('I'))]))
      socket.on('data', () => undefined)
    })
    socket.on('error', () => undefined)
  })
  await new Promise<void>(resolve => void server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    stop: () => {
      server.close()
      for (const one of open) one.destroy()
    },
  }
}

test('a server that is silent when its client leaves holds nobody up', { timeout: 30_000 }, async () => {
  const server = await startSilent()
  try {
    const config = { host: '127.0.0.1', port: server.port, user: 'somebody', database: 'any' }
    assert.equal(await withClient(config, async () => 'done'), 'done')
  } finally {
    server.stop()
  }
})
