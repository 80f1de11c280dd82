import assert from 'node:assert/strict'
import { test } from 'node:test'
import Fastify, { type FastifyInstance } from 'fastify'
import { Fault } from '../../base/fault.ts'
import { free, points, pointsOfStrangers } from './charge.ts'
import { chargeAddresses, chargeRoutes } from './charge-addresses.ts'

interface Charged {
  readonly server: FastifyInstance
  readonly routes: ReturnType<typeof chargeAddresses>
  readonly spent: number[]
}

const open = (most = 100): Charged => {
  const spent: number[] = []
  const server = Fastify()
  server.decorateRequest('clientAddress', '192.0.2.1')
  const charge = (_address: string, amount: number): void => {
    if (spent.reduce((sum, one) => sum + one, 0) + amount > most)
      throw new Fault({ code: 'too_many_requests', status: 429, message: 'Too much.' })
    spent.push(amount)
  }
  return { server, spent, routes: chargeAddresses(server, { charge }) }
}

test('a route that declares nothing is refused', async () => {
  const { server, routes } = open()
  server.get('/declared', { config: { charge: points(1) } }, () => 'yes')
  server.post('/forgotten', () => 'no')
  await server.ready()
  assert.throws(routes, /POST \/forgotten does not declare/)
})

test('a scope may declare for its routes, each route for itself, and HEAD as GET', async () => {
  const { server, routes } = open()
  await server.register(async scope => {
    chargeRoutes(scope, free('a file'))
    scope.get('/file', () => 'file')
    scope.options('/file', () => '')
    scope.get('/other', { config: { charge: points(7) } }, () => 'other')
  })
  await server.ready()
  const told = routes().map(({ method, url, charge }) => [method, url, charge.kind])
  assert.deepEqual(told.toSorted(), [
    ['GET', '/file', 'free'],
    ['GET', '/other', 'points'],
    ['HEAD', '/file', 'free'],
    ['HEAD', '/other', 'points'],
    ['OPTIONS', '/file', 'free'],
  ])
})

test('everybody is charged before the handler; strangers once they are found to be; nothing that is not there for nothing', async () => {
  const { server, spent } = open()
  server.get('/all', { config: { charge: points(5) } }, () => 'all')
  server.get('/some', { config: { charge: pointsOfStrangers(9) } }, request => {
    if (request.headers.authorization === undefined) {
      request.chargeStranger()
      request.chargeStranger()
    }
    return 'some'
  })
  await server.inject('/all')
  await server.inject('/some')
  await server.inject({ url: '/some', headers: { authorization: 'Bearer valid' } })
  assert.deepEqual(spent, [5, 9])
  await server.inject('/nothing')
  assert.deepEqual(spent, [5, 9, 2])
})

test('over the budget there is no work', async () => {
  const { server } = open(8)
  let worked = 0
  server.get('/all', { config: { charge: points(5) } }, () => {
    worked += 1
    return 'all'
  })
  const statuses = [await server.inject('/all'), await server.inject('/all')].map(({ statusCode }) => statusCode)
  assert.deepEqual([statuses, worked], [[200, 429], 1])
})
