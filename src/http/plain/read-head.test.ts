import assert from 'node:assert/strict'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import { holds, isOftenEnough } from '../../../test/support/holds.ts'
import { createHeadReader } from './read-head.ts'

const START = 'POST /v1/graphql HTTP/1.1'
const PATHS = new Map([[START, true]])
/** One for all tests: what it has kept must never be another request's. */
const readHead = createHeadReader(PATHS)

interface Seen {
  readonly line: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

let server: Server
let seen: Seen[] = []

before(async () => {
  server = createServer({ maxHeaderSize: 64 * 1024 }, (request, response) => {
    const chunks: Buffer[] = []
    request.on('data', chunk => chunks.push(chunk))
    request.on('error', () => undefined)
    request.on('end', () => {
      const line = `${request.method} ${request.url} HTTP/${request.httpVersion}`
      seen.push({ line, headers: request.headers, body: Buffer.concat(chunks).toString('latin1') })
      response.end()
    })
  })
  await new Promise<void>(resolve => void server.listen(0, '127.0.0.1', resolve))
})
after(() => {
  server.close()
  server.closeAllConnections()
})

/** What Node's own parser reads from these bytes; anything left over when the client has finished is dropped. */
const readByNode = (bytes: Buffer): Promise<Seen[]> =>
  new Promise(resolve => {
    seen = []
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
    socket.on('error', () => undefined)
    socket.on('close', () => resolve(seen))
    socket.resume()
    socket.end(bytes)
  })

const accept = (text: string) => readHead(Buffer.from(text, 'latin1'))

const plain = [
  'host: localhost',
  'content-type: application/json',
  'authorization: Bearer abc',
  'content-length: 2',
  'connection: keep-alive',
]
const request = (lines: readonly string[], start = START): string => `${start}\r\n${lines.join('\r\n')}\r\n\r\n{}`

test('a plain head is parsed: names in lower case, values trimmed', () => {
  const head = accept(
    request([
      'Host:localhost',
      'X-Forwarded-For: \t10.0.0.1, 10.0.0.2 \t',
      'CONTENT-LENGTH: 2',
      'Connection: Keep-Alive',
    ]),
  )
  assert.deepEqual(head?.headers, {
    host: 'localhost',
    'x-forwarded-for': '10.0.0.1, 10.0.0.2',
    'content-length': '2',
    connection: 'Keep-Alive',
  })
  assert.equal(head?.bodyLength, 2)
  assert.ok(head?.text.endsWith('\r\n\r\n'))
})

const without = (name: string): string[] => plain.filter(line => !line.startsWith(name))

const left: Readonly<Record<string, string>> = {
  'another method': request(plain, 'GET /v1/graphql HTTP/1.1'),
  'another path': request(plain, 'POST /v1/graphql?x=1 HTTP/1.1'),
  'an absolute address': request(plain, 'POST http://localhost/v1/graphql HTTP/1.1'),
  'an older version': request(plain, 'POST /v1/graphql HTTP/1.0'),
  'two blanks in the first line': request(plain, 'POST  /v1/graphql HTTP/1.1'),
  'a blank at the end of the first line': request(plain, `${START} `),
  'no host': request(without('host')),
  'no length': request(without('content-length')),
  'a length with a sign': request([...without('content-length'), 'content-length: +2']),
  'a length with a zero before it': request([...without('content-length'), 'content-length: 02']),
  'a length in sixteens': request([...without('content-length'), 'content-length: 0x2']),
  'two lengths in one': request([...without('content-length'), 'content-length: 2, 2']),
  'two equal lengths': request([...plain, 'content-length: 2']),
  'two different lengths': request([...plain, 'Content-Length: 3']),
  chunks: request([...plain, 'transfer-encoding: chunked']),
  'chunks without a length': request([...without('content-length'), 'transfer-encoding: chunked']),
  'a body to be asked for': request([...plain, 'expect: 100-continue']),
  'another protocol': request([...plain, 'upgrade: h2c']),
  'the end of the connection': request([...without('connection'), 'connection: close']),
  'headers that go no further': request([...without('connection'), 'connection: keep-alive, authorization']),
  'a header twice': request([...plain, 'x-request-id: a', 'X-Request-Id: b']),
  'a value over two lines': request([...plain, 'x-long: a\r\n b']),
  'a blank before the colon': request([...plain, 'x-name : a']),
  'a blank before the name': request([' x-name: a', ...plain]),
  'a header without a colon': request([...plain, 'nonsense']),
  'a name that is none': request([...plain, 'x(y): a']),
  'an empty value': request([...plain, 'x-empty:']),
  'a letter beyond ASCII': request([...plain, 'x-name: caf\xe9']),
  'a control character': request([...plain, 'x-name: a\x00b']),
  'an end of line of another kind': request(plain).replaceAll('\r\n', '\n'),
  'a lone carriage return': request([...plain, 'x-name: a\rb']),
  'a lone line feed': request([...plain, 'x-name: a\nb: c']),
  'an unfinished head': request(plain).slice(0, 60),
  'a head without end': request([...plain, `x-long: ${'a'.repeat(9000)}`]),
  nothing: '',
}
for (const [name, text] of Object.entries(left))
  test(`left to Node: ${name}`, () => assert.equal(accept(text), undefined))

const mutation = fc.record({
  at: fc.nat(400),
  remove: fc.nat(3),
  insert: fc.constantFrom(
    '',
    '\r',
    '\n',
    '\r\n',
    ' ',
    '\t',
    ':',
    ',',
    '\0',
    '\x7f',
    '\xe9',
    '0',
    '2',
    'a',
    '-',
    '\r\n\r\n',
  ),
})
const header = fc.constantFrom(
  'accept: */*',
  'Content-Length: 2',
  'content-length: 10',
  'Transfer-Encoding: chunked',
  'transfer-encoding:chunked, identity',
  'connection: close',
  'Connection: keep-alive',
  'expect: 100-continue',
  'x-minaret-explain: 1',
  'Cookie: a=b; c=d',
  '__proto__: x',
  'constructor: y',
  'x-blank:  two  words\t',
)
const altered = fc
  .record({
    more: fc.array(header, { maxLength: 2 }),
    mutations: fc.array(mutation, { maxLength: 2 }),
    base: fc.oneof({ weight: 3, arbitrary: fc.constant(plain) }, fc.subarray(plain)),
  })
  .map(({ more, mutations, base }) =>
    mutations.reduce(
      (text, { at, remove, insert }) => text.slice(0, at) + insert + text.slice(at + remove),
      request([...base, ...more]),
    ),
  )

test('a head accepted as plain is parsed the same way by Node, byte for byte', async () => {
  let taken = 0
  const compare = async (text: string): Promise<void> => {
    const bytes = Buffer.from(text, 'latin1')
    const head = readHead(bytes)
    if (head === undefined || bytes.length !== head.text.length + head.bodyLength) return
    taken += 1
    const [first, ...more] = await readByNode(bytes)
    // A plain object cannot hold this one, and nobody needs it.
    const { __proto__: _, ...headers } = head.headers
    assert.deepEqual(
      { line: START, headers, body: text.slice(head.text.length), more: 0 },
      { line: first?.line, headers: { ...first?.headers }, body: first?.body, more: more.length },
    )
  }
  const tried = await holds(fc.asyncProperty(altered, compare), { runs: 3000 })
  assert.ok(isOftenEnough(taken, tried, 0.12), `only ${taken} of ${tried} were plain`)
})

test('no input makes it throw', async () => {
  await holds(
    fc.property(fc.uint8Array({ maxLength: 300 }), fc.boolean(), (bytes, begins) => {
      readHead(begins ? Buffer.concat([Buffer.from(`${START}\r\n`), bytes]) : Buffer.from(bytes))
    }),
  )
})

test('a head that was read lately is not parsed again; the oldest are forgotten, and long ones never kept', () => {
  const read = createHeadReader(PATHS)
  const bytes = (number: number, padding = '') =>
    Buffer.from(`${START}\r\nhost: x\r\ncontent-length: 2\r\nx-number: ${number}${padding}\r\n\r\n{}`)
  const first = read(bytes(0))
  assert.equal(first?.headers['x-number'], '0')
  assert.equal(read(bytes(0)), first)
  for (let number = 1; number <= 512; number += 1)
    assert.equal(read(bytes(number))?.headers['x-number'], String(number))
  assert.notEqual(read(bytes(0)), first)
  assert.deepEqual(read(bytes(0)), first)
  const long = bytes(1, 'y'.repeat(1024))
  assert.deepEqual(read(long), read(long))
  assert.notEqual(read(long), read(long))
})
