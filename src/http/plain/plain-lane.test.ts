import assert from 'node:assert/strict'
import type { Server } from 'node:http'
import { describe, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import {
  answers,
  ask,
  closeAfterEach,
  dial,
  echo,
  type Held,
  holding,
  open,
  respondWith,
  textOf,
  until,
} from '../../../test/support/plain-lane.ts'
import { underWay } from '../../base/under-way.ts'
import type { Entrance } from '../../graphql/entrance/transport.ts'

closeAfterEach()

describe('requests on one connection', () => {
  test('plain ones are answered in sequence, with the headers that Node would add', async () => {
    const client = dial(await open(echo))
    for (const body of ['a', 'b', 'ccc', '']) {
      const before = client.bodies().length
      client.socket.write(ask(body))
      await answers(client, before + 1)
    }
    assert.deepEqual(client.bodies(), ['lane a', 'lane b', 'lane ccc', 'lane '])
    assert.match(client.text(), /^HTTP\/1\.1 200 OK\r\ncontent-length: 6\r\ndate: \w{3}, .* GMT\r\n/)
    assert.match(client.text(), /\r\nconnection: keep-alive\r\nkeep-alive: timeout=5\r\n\r\n/)
  })

  test('each is named while it is worked on, whatever it waits for', async () => {
    const client = dial(
      await open(async ({ id }) => {
        await pause(1)
        const current = underWay.current()
        return respondWith(`${current?.method} ${current?.route} ${current?.id === id}`)
      }),
    )
    client.socket.write(ask('a'))
    await answers(client, 1)
    assert.deepEqual(client.bodies(), ['POST /ask true'])
  })

  const others: Readonly<Record<string, string>> = {
    'another path': ask('x', '/ask?'),
    'in chunks': 'POST /ask HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n\r\n',
    'with its body asked for': ask('x').replace('host', 'expect: 100-continue\r\nhost'),
    'with more than it said': `${ask('x')}${ask('y', '/later')}`,
  }
  for (const [name, request] of Object.entries(others))
    test(`the first that is not plain goes to Node, and the connection with it: ${name}`, async () => {
      const client = dial(await open(echo))
      client.socket.write(ask('first'))
      await answers(client, 1)
      client.socket.write(request)
      await until(client.text(), () => client.text().includes('node '))
      client.socket.write(ask('last'))
      await until(client.text(), () => client.text().endsWith('node last'))
      assert.equal(client.text().split('lane ').length, 2)
      assert.match(client.text(), /lane first[\s\S]*node x/)
    })

  test('what Node refuses is still refused', async () => {
    const client = dial(await open(echo))
    client.socket.write('POST /ask HTTP/1.1\r\ncontent-length: 0\r\n\r\n')
    await until('the end', () => client.ended)
    assert.match(client.text(), /^HTTP\/1\.1 400 Bad Request\r\n/)
  })

  test('a request split anywhere is answered', async () => {
    const one = await open(echo)
    const text = ask('{"a":1}')
    for (let at = 1; at < text.length; at += 3) {
      const client = dial(one)
      client.socket.setNoDelay(true).write(text.slice(0, at))
      await pause(4)
      client.socket.write(text.slice(at))
      await answers(client, 1)
      assert.match(client.bodies()[0] ?? '', /^(?:node|lane) \{"a":1\}$/)
    }
  })

  test('pipelined ones are answered in order', async () => {
    const held: Held[] = []
    const client = dial(await open(holding(held)))
    client.socket.write(ask('a'))
    await until('the first under way', () => held.length === 1)
    client.socket.write(ask('b'))
    await pause(20)
    client.socket.write(ask('c', '/elsewhere'))
    await pause(20)
    assert.deepEqual([held.length, client.text()], [1, ''])
    held[0]?.respond('lane a')
    await until(client.text(), () => client.text().includes('node c') || held.length > 1)
    held[1]?.respond('lane b')
    await answers(client, 3)
    assert.match(client.bodies().join(), /^lane a,(?:lane|node) b,node c$/)
  })
})

describe('a client', () => {
  test('that disconnects is reported, once, and only while it waits', async () => {
    const told: string[] = []
    const entrance: Entrance = request => {
      const text = textOf(request)
      const listener = (): void => void told.push(text)
      request.abandoned.add(listener)
      if (text === 'waits') return new Promise(() => undefined)
      request.abandoned.delete(listener)
      return Promise.resolve(respondWith(text))
    }
    const one = await open(entrance)
    for (const body of ['answered', 'waits']) {
      const client = dial(one)
      client.socket.write(ask(body))
      await (body === 'waits' ? pause(30) : answers(client, 1))
      client.socket.destroy()
    }
    await until('told', () => told.length > 0)
    await pause(20)
    assert.deepEqual(told, ['waits'])
  })

  test('that closes its side is disconnected, and a later response is dropped', async () => {
    const held: Held[] = []
    const one = await open(holding(held))
    const client = dial(one)
    client.socket.end(ask('x'))
    await until('the end', () => client.ended)
    let gone = 0
    held[0]?.request.abandoned.add(() => (gone += 1))
    assert.equal(gone, 1)
    held[0]?.respond('late')
  })

  test('that does not read is not read from either, and gets everything once it does', async () => {
    let asked = 0
    const large = 'x'.repeat(256 * 1024)
    const one = await open(async () => {
      asked += 1
      return respondWith(large)
    })
    const client = dial(one)
    client.socket.pause()
    for (let sent = 0; sent < 100; sent += 1) {
      client.socket.write(ask('x'))
      await pause(1)
    }
    await pause(100)
    assert.ok(asked < 50, `${asked} answers were made for somebody who reads none`)
    client.socket.resume()
    await until('all answers', () => client.text().split('HTTP/1.1 200 OK').length === 101)
  })

  test('whose response cannot be written is disconnected', async () => {
    const client = dial(await open(async () => ({ ...respondWith(''), headers: ['x-name', 'a\r\nset-cookie: b'] })))
    client.socket.write(ask('x'))
    await until('the end', () => client.ended)
    assert.equal(client.text(), '')
  })
})

describe('connections are closed', () => {
  const short = (server: Server): void => {
    server.keepAliveTimeout = 1000
    server.headersTimeout = 3000
  }

  test('when idle: soon after a response, later before the first request, and never during one', async () => {
    const one = await open(async request => {
      if (textOf(request) === '') await pause(5000)
      return respondWith('done')
    }, short)
    const [answered, silent, waiting] = [dial(one), dial(one), dial(one)]
    answered.socket.write(ask('x'))
    waiting.socket.write(ask(''))
    await until('the idle one ended', () => answered.ended)
    assert.deepEqual([silent.ended, waiting.ended], [false, false])
    await until('the silent one ended', () => silent.ended, 8000)
    await answers(waiting, 1)
  })

  test('when a client reads nothing of a response for too long, but not while it reads some', async () => {
    const impatient = (server: Server): void => {
      // Long enough that a reader starved of CPU is not mistaken for one that does not read.
      server.timeout = 5000
    }
    const large = 'x'.repeat(24 * 1024 * 1024)
    const one = await open(async () => respondWith(large), impatient)
    const connections = () => new Promise<number>(resolve => one.server.getConnections((_, count) => resolve(count)))
    const [reads, slow] = [dial(one), dial(one)]
    for (const { socket } of [reads, slow]) socket.pause().write(ask('x'))
    // So many bytes per millisecond, not per turn: a reader that got no CPU for a while catches up.
    let bytesPerMs = 1500
    const started = performance.now()
    const isAhead = (): boolean => reads.socket.bytesRead > (performance.now() - started) * bytesPerMs
    reads.socket.on('data', () => void (isAhead() && reads.socket.pause()))
    const sipping = setInterval(() => void (isAhead() || reads.socket.resume()), 20)
    for (const expected of [2, 1]) {
      for (let waited = 0; waited < 30_000 && (await connections()) !== expected; waited += 50) await pause(50)
      assert.equal(await connections(), expected)
    }
    clearInterval(sipping)
    bytesPerMs = Number.POSITIVE_INFINITY
    reads.socket.resume()
    await until('the whole answer', () => reads.text().length > large.length, 30_000)
  })

  test('when the server closes: idle ones at once, the others after their response', async () => {
    const held: Held[] = []
    const one = await open(request =>
      textOf(request) === '' ? Promise.resolve(respondWith('')) : holding(held)(request),
    )
    const [fresh, idle, busy] = [dial(one), dial(one), dial(one)]
    idle.socket.write(ask(''))
    busy.socket.write(ask('x'))
    await answers(idle, 1)
    await until('one under way', () => held.length === 1)
    const closed = new Promise<void>(resolve => void one.server.close(() => resolve()))
    one.lane.close()
    await until('the idle ones ended', () => idle.ended && fresh.ended)
    assert.equal(busy.ended, false)
    held[0]?.respond('last')
    await closed
    await until('the busy one ended', () => busy.ended)
    assert.match(busy.text(), /\r\nconnection: close\r\n\r\nlast$/)
  })

  test('all at once, on request', async () => {
    const one = await open(() => new Promise(() => undefined))
    const client = dial(one)
    client.socket.write(ask('x'))
    await pause(30)
    one.lane.end()
    await until('the end', () => client.ended)
  })
})
