import assert from 'node:assert/strict'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { generate } from './generate.ts'
import { type Job, NUMBER_MARK, type Source } from './job.ts'
import { formRequest, jsonRequest, requestHead, requestText } from './request.ts'

const servers: Server[] = []
after(() => {
  for (const server of servers) server.close()
})

const serve = (listener: RequestListener): Promise<number> =>
  new Promise(resolve => {
    const server = createServer(listener).listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port))
    servers.push(server)
  })

const bodyOf = async (request: AsyncIterable<Buffer>): Promise<string> => {
  let body = ''
  for await (const chunk of request) body += chunk
  return body
}

const job = (port: number, source: Source, changes: Partial<Job> = {}): Job => ({
  host: '127.0.0.1',
  port,
  connections: 3,
  source,
  milliseconds: 5000,
  most: 30,
  status: 200,
  bodyStart: '',
  collect: undefined,
  ...changes,
})

const get: Source = { kind: 'random', requests: [requestText({ method: 'GET', path: '/' })] }

test('counts responses with a content length, in chunks, in pieces and without a body', async () => {
  const answers: RequestListener[] = [
    (_request, response) => void response.end('{"data":{}}'),
    (_request, response) => {
      response.write('{"data"')
      setImmediate(() => response.end(':{}}'))
    },
    (_request, response) => void response.writeHead(200, { 'content-length': '0' }).end(),
  ]
  for (const listener of answers) {
    const outcome = await generate(job(await serve(listener), get))
    assert.deepEqual([outcome.requests, outcome.faults], [30, 0])
    assert.ok(outcome.p50 > 0 && outcome.p99 >= outcome.p50)
  }
})

test('an unexpected status, body or close counts as an error, and the first one is reported', async () => {
  const port = await serve((_request, response) => void response.writeHead(500).end('{"errors":[]}'))
  const refused = await generate(job(port, get))
  assert.equal(refused.faults, 30)
  assert.match(refused.firstFault ?? '', /^500 \{"errors"/)
  const wrong = await generate(job(port, get, { status: 500, bodyStart: '{"data"' }))
  assert.equal(wrong.faults, 30)
  const closing = await serve(request => void request.socket.destroy())
  assert.match((await generate(job(closing, get))).firstFault ?? '', /closed|ECONNRESET/)
})

test('single-use requests are each sent once, and the job ends when they run out', async () => {
  const seen: string[] = []
  const port = await serve(async (request, response) => {
    const code = new URLSearchParams(await bodyOf(request)).get('code') ?? ''
    seen.push(code)
    response.end(JSON.stringify({ access_token: `token of ${code}` }))
  })
  const requests = ['a', 'b', 'c', 'd'].map(code => formRequest('/token', { code }))
  const outcome = await generate(job(port, { kind: 'once', requests }, { collect: 'access_token' }))
  assert.deepEqual(seen.sort(), ['a', 'b', 'c', 'd'])
  assert.deepEqual([...outcome.collected].sort(), ['token of a', 'token of b', 'token of c', 'token of d'])
})

test('numbered requests are all different, and match their content length', async () => {
  const seen = new Set<string>()
  const port = await serve(async (request, response) => {
    seen.add(JSON.parse(await bodyOf(request)).number)
    response.end('{}')
  })
  const request = jsonRequest('/', { number: NUMBER_MARK })
  assert.equal((await generate(job(port, { kind: 'numbered', request, from: 7 }))).faults, 0)
  assert.equal(seen.size, 30)
  assert.ok(seen.has('0000000007') && seen.has('0000000036'))
})

test('a chain sends the token of its last response', async () => {
  const used = new Map<string, number>()
  const port = await serve(async (request, response) => {
    const [name = '', step = ''] = (new URLSearchParams(await bodyOf(request)).get('refresh_token') ?? '').split('.')
    assert.equal(Number(step), used.get(name) ?? 0)
    used.set(name, Number(step) + 1)
    response.end(JSON.stringify({ refresh_token: `${name}.${Number(step) + 1}` }))
  })
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const before = requestHead({ method: 'POST', path: '/token', headers })
  const first = ['x.0', 'y.0', 'z.0']
  const outcome = await generate(
    job(port, { kind: 'chain', before, after: 'refresh_token=', field: 'refresh_token', first }),
  )
  assert.equal(outcome.faults, 0)
  assert.equal(
    [...used.values()].reduce((sum, count) => sum + count, 0),
    30,
  )
})
