import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import type { Handler } from './handler.ts'
import { inTurn } from './in-turn.ts'

const REQUESTS = 100
const body = 'x'.repeat(256 * 1024)

const withServer = async (handler: Handler, work: (port: number) => Promise<void>): Promise<void> => {
  const server = createServer(handler)
  await new Promise<void>(resolve => void server.listen(0, '127.0.0.1', resolve))
  try {
    await work((server.address() as AddressInfo).port)
  } finally {
    server.close()
    server.closeAllConnections()
  }
}

const until = async (what: string, holds: () => boolean): Promise<void> => {
  for (const deadline = Date.now() + 60_000; !holds(); await delay(5)) assert.ok(Date.now() < deadline, what)
}

test('pipelined requests of a client that does not read are not answered into memory; once it reads, it gets all', async () => {
  let handled = 0
  const answer = inTurn((request, response) => {
    handled += 1
    response.end(`${request.url} ${body}`)
  })
  await withServer(answer, async port => {
    const socket = connect(port, '127.0.0.1').pause()
    socket.write(Array.from({ length: REQUESTS }, (_, at) => `GET /${at} HTTP/1.1\r\nhost: x\r\n\r\n`).join(''))
    await until('some are handled', () => handled > 0)
    await delay(300)
    assert.ok(handled < REQUESTS * 0.75, `${handled} were answered for somebody who reads none`)
    let text = ''
    socket.on('data', chunk => (text += chunk.toString('latin1').replaceAll('x', '')))
    socket.resume()
    await until('all are answered', () => text.includes(`/${REQUESTS - 1} `))
    const order = [...text.matchAll(/\/(\d+) /g)].map(([, at]) => Number(at))
    assert.deepEqual(
      order,
      Array.from({ length: REQUESTS }, (_, at) => at),
    )
    socket.destroy()
  })
})

test('a client that disconnects with requests waiting leaves nothing behind', async () => {
  const held: (() => void)[] = []
  let handled = 0
  const answer = inTurn((_request, response) => {
    handled += 1
    held.push(() => response.end('done'))
  })
  await withServer(answer, async port => {
    const socket = connect(port, '127.0.0.1')
    socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n'.repeat(3))
    await until('the first is handled', () => handled === 1)
    socket.destroy()
    await delay(50)
    held[0]?.()
    await delay(50)
    assert.equal(handled, 1)
  })
})

test('requests that wait are not read without end: no more than a read, and a flood of small ones is disconnected', async () => {
  let parsed = 0
  let handled = 0
  const answer = inTurn(() => {
    handled += 1
  })
  const counting: Handler = (request, response) => {
    parsed += 1
    answer(request, response)
  }
  await withServer(counting, async port => {
    const patient = connect(port, '127.0.0.1')
    const large = `GET / HTTP/1.1\r\nhost: x\r\nx-filler: ${'x'.repeat(4000)}\r\n\r\n`
    for (let sent = 0; sent < 500; sent += 1) patient.write(large)
    await until('the first is handled', () => handled === 1)
    await delay(300)
    assert.ok(parsed < 100, `${parsed} of 500 were read`)
    assert.ok(!patient.destroyed)
    const flood = connect(port, '127.0.0.1')
    let ended = false
    flood.on('error', () => undefined).on('close', () => (ended = true))
    flood.resume().write('GET / HTTP/1.1\r\nhost: x\r\n\r\n'.repeat(5000))
    await until('the flood is disconnected', () => ended)
    assert.equal(handled, 2)
    patient.destroy()
  })
})
