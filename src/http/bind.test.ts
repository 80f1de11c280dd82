import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { connect, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { describe, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { type Attached, attach, type Binding, bind, bindLater, drain, renewConnections, unbind } from './bind.ts'
import type { Handler } from './handler.ts'
import { noLane } from './plain/plain-lane.ts'

setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')

const HOST = '127.0.0.1'
/** Most of it is waiting. */
const together = { concurrency: true }
const ONE_REQUEST = 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'
const UPGRADE = 'GET / HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: other\r\n\r\n'

const answerDone: Handler = (_request, response) => void response.end('done')

/** Runs with a bound server, and unbinds it whatever happens. */
const bound = async (attached: Attached | undefined, look: (binding: Binding) => Promise<void>): Promise<void> => {
  const binding = await bind({ host: HOST, port: 0, keepAliveMs: 60_000 })
  try {
    if (attached !== undefined) await attach(binding, attached)
    await look(binding)
  } finally {
    await unbind(binding, 0)
  }
}

const open = async ({ server, port }: Binding): Promise<Socket> => {
  const accepted = once(server, 'connection')
  const socket = connect(port, HOST).setEncoding('utf8')
  await accepted
  return socket
}

/** The next response, if it comes in one piece. */
const ask = async (socket: Socket, request = ONE_REQUEST): Promise<string> => {
  socket.write(request)
  const [text] = await once(socket, 'data')
  return text
}

const isLast = (response: string): boolean => /^connection: close\r$/im.test(response)

const ended = (socket: Socket): Promise<unknown> => once(socket.resume(), 'close')

describe('a port that is bound', together, () => {
  test('says that the service is starting until there is a handler, then only what the handler says', () =>
    bound(undefined, async binding => {
      const at = (path: string): Promise<Response> => fetch(`http://${HOST}:${binding.port}${path}`)
      const alive = await at('/healthz')
      assert.deepEqual([alive.status, await alive.json()], [200, { status: 'alive' }])
      const early = await at('/v1/graphql')
      assert.deepEqual([early.status, early.headers.get('retry-after')], [503, '1'])
      assert.deepEqual(await early.json(), { status: 'starting' })
      await attach(binding, { handler: answerDone })
      assert.equal(await (await at('/healthz')).text(), 'done')
    }))

  test('a port or an address that cannot be had says why, and what to do', async () =>
    bound(undefined, async ({ port }) => {
      await assert.rejects(bind({ host: HOST, port, keepAliveMs: 1000 }), /is used by another program.*PORT/)
    }))

  test('one that is bound later refuses connections until it is opened', async () => {
    const binding = bindLater({ host: HOST, port: 0, keepAliveMs: 1000 })
    assert.equal(binding.server.listening, false)
    await unbind(binding)
    assert.ok(Number(await binding.open()) > 0)
    await unbind(binding)
  })

  test('only what upgrades accept is taken out of requests', async () => {
    const handle = (_request: unknown, socket: Duplex): void => void socket.end('upgraded')
    const upgrades = { accepts: ({ url }: IncomingMessage) => url === '/', handle }
    await bound({ handler: answerDone, upgrades }, async binding => {
      assert.equal(await ask(await open(binding), UPGRADE), 'upgraded')
      assert.equal(binding.fresh.size, 0)
      assert.match(await ask(await open(binding), UPGRADE.replace('/', '/other')), /^HTTP\/1\.1 200 /)
    })
    await bound({ handler: answerDone }, async binding =>
      assert.match(await ask(await open(binding), UPGRADE), /^HTTP\/1\.1 200 /),
    )
  })
})

describe('connections', together, () => {
  test('are known from opening to closing, and as new until their first request', () =>
    bound({ handler: answerDone }, async binding => {
      const socket = await open(binding)
      assert.deepEqual([binding.fresh.size, binding.connected.size], [1, 1])
      await ask(socket)
      assert.deepEqual([binding.fresh.size, binding.connected.size], [0, 1])
      const unused = await open(binding)
      const [first] = [...binding.fresh]
      assert.ok(first)
      unused.destroy()
      await once(first, 'close')
      assert.deepEqual([binding.fresh.size, binding.connected.size], [0, 1])
      const [second] = [...binding.connected]
      assert.ok(second)
      socket.destroy()
      await once(second, 'close')
      assert.equal(binding.connected.size, 0)
    }))

  test('each ends with its next response once the process drains; renewed ones alone, otherwise', () =>
    bound({ handler: answerDone }, async binding => {
      const before = await open(binding)
      assert.equal(isLast(await ask(before)), false)
      renewConnections(binding)
      const after = await open(binding)
      assert.equal(isLast(await ask(after)), false)
      assert.equal(isLast(await ask(before)), true)
      drain(binding)
      assert.equal(isLast(await ask(after)), true)
      assert.equal(isLast(await ask(await open(binding))), true, 'it still accepts')
    }))

  test('draining and renewing tell the lane of plain connections', () =>
    bound({ handler: answerDone }, async binding => {
      const told: string[] = []
      const note = (word: string) => () => void told.push(word)
      binding.lane = { drain: note('drain'), renew: note('renew'), close: note('close'), end: note('end') }
      renewConnections(binding)
      drain(binding)
      await unbind(binding)
      assert.deepEqual(told, ['renew', 'drain', 'close'])
    }))
})

describe('a port that is given up', together, () => {
  test('closes what is idle or new at once, and waits for what is in progress', () => {
    const { promise: mayAnswer, resolve: answer } = Promise.withResolvers<void>()
    const handler: Handler = (request, response) =>
      void (request.url === '/slow' ? mayAnswer : Promise.resolve()).then(() => response.end('done'))
    return bound({ handler }, async binding => {
      const [idle, fresh, busy] = [await open(binding), await open(binding), await open(binding)]
      await ask(idle)
      const begun = once(binding.server, 'request')
      const last = ask(busy, ONE_REQUEST.replace('/', '/slow'))
      await begun
      const closing = unbind(binding)
      await Promise.all([ended(idle), ended(fresh)])
      assert.equal(binding.connected.size, 1)
      answer()
      const [response] = await Promise.all([last, closing])
      assert.match(response, /done$/)
      assert.equal(isLast(response), true)
    })
  })

  test('a request that has half arrived is answered, as the last of its connection', () =>
    bound({ handler: answerDone }, async binding => {
      const socket = await open(binding)
      await ask(socket)
      const [served] = [...binding.connected]
      assert.ok(served)
      const arrived = once(served, 'data')
      const half = ONE_REQUEST.length / 2
      socket.write(ONE_REQUEST.slice(0, half))
      await arrived
      const closing = unbind(binding)
      assert.equal(isLast(await ask(socket, ONE_REQUEST.slice(half))), true)
      await closing
    }))

  test('a response that has begun is finished, and its connection closed', () => {
    const { promise: mayEnd, resolve: end } = Promise.withResolvers<void>()
    const handler: Handler = (_request, response) => {
      response.write('begun')
      void mayEnd.then(() => response.end())
    }
    return bound({ handler }, async binding => {
      const socket = await open(binding)
      assert.equal(isLast(await ask(socket)), false)
      const closing = unbind(binding)
      end()
      await Promise.all([ended(socket), closing])
      assert.equal(binding.answering.size, 0)
    })
  })

  test('ends what is still in progress at the deadline, also in the lane', () =>
    bound({ handler: () => undefined }, async binding => {
      const told: string[] = []
      binding.lane = { ...noLane, end: () => void told.push('end') }
      const hanging = await open(binding)
      const begun = once(binding.server, 'request')
      hanging.write(ONE_REQUEST)
      await begun
      await Promise.all([unbind(binding, 10), ended(hanging)])
      assert.deepEqual(told, ['end'])
    }))

  test('that drains accepts and answers while it closes', () =>
    bound({ handler: answerDone }, async binding => {
      drain(binding)
      const late = await open(binding)
      const closing = unbind(binding)
      assert.equal(isLast(await ask(late)), true, 'a new connection is not closed on a request that is on its way')
      await closing
    }))
})

const bindAndUnbind = async () => {
  const binding = await bind({ host: HOST, port: 0, keepAliveMs: 1000 })
  await (await fetch(`http://${HOST}:${binding.port}/healthz`)).text()
  await unbind(binding)
  return new WeakRef(binding.server)
}

test('nothing keeps a server in memory once it is closed', async () => {
  const closed = await bindAndUnbind()
  for (let turns = 0; closed.deref() !== undefined && turns < 100; turns += 1) {
    await nextTurn()
    collectGarbage()
  }
  assert.equal(closed.deref(), undefined)
})

test('a host that is no address of this machine is named with its setting', async () => {
  const options = { host: '192.0.2.1', port: 0, keepAliveMs: 1000 }
  await assert.rejects(bind(options), /^StartFault: HOST is 192\.0\.2\.1, which is no address of this machine\./)
})
