import assert from 'node:assert/strict'
import type { OutgoingHttpHeaders } from 'node:http'
import { describe, test } from 'node:test'
import { openClient, type RawAnswer } from '../support/graphql.ts'
import { useApi } from './use-api.ts'

/** A request takes the fast path when its request line starts with `POST /v1/graphql `; with a `?` after the path Node's server parses it. */
const PLAIN = '/v1/graphql'
const BY_NODE = '/v1/graphql?'

const list = '{ up_masjids(limit: 3, order_by: { name: asc }) { id name events(limit: 2) { id title } } }'
const long = `{ ${Array.from({ length: 20 }, (_, index) => `a${index}: up_masjids { id name city slug timezone }`).join(' ')} }`

const cases: Readonly<Record<string, readonly [body: string | Buffer, headers?: OutgoingHttpHeaders]>> = {
  'a list': [JSON.stringify({ query: list })],
  'letters beyond ASCII': [JSON.stringify({ query: '{ مسجد: __typename }' })],
  'names beyond ASCII': [JSON.stringify({ query: '{ up_masjids(where: { name: { _like: "%é%" } }) { name } }' })],
  'a batch': [JSON.stringify([{ query: list }, { query: '{ nonsense }' }])],
  'a field that is not there': [JSON.stringify({ query: '{ up_masjid { id } }' })],
  'as the newer media type': [JSON.stringify({ query: '{ nope }' }), { accept: 'application/graphql-response+json' }],
  'a media type that is not ours': [JSON.stringify({ query: list }), { accept: 'text/html' }],
  'a body of another type': ['query', { 'content-type': 'text/plain' }],
  'a compressed body': ['{}', { 'content-encoding': 'gzip' }],
  'no JSON': ['{"query":'],
  'no body': [''],
  'no UTF-8': [Buffer.from([0x7b, 0xff, 0x7d])],
  'no credential': [JSON.stringify({ query: list }), { authorization: '' }],
  'a credential that is none': [JSON.stringify({ query: list }), { authorization: 'Bearer nonsense' }],
  'from a page': [JSON.stringify({ query: list }), { origin: 'https://app.example' }],
  'with its cost': [JSON.stringify({ query: list }), { 'x-minaret-explain': '1' }],
  'a long answer, compressed': [JSON.stringify({ query: long }), { 'accept-encoding': 'br' }],
  'a long answer as it is': [JSON.stringify({ query: long }), { 'accept-encoding': 'identity' }],
  'a body too large': [JSON.stringify({ query: `{ __typename } # ${'x'.repeat(300 * 1024)}` })],
}

const answered = new Set([
  'a list',
  'names beyond ASCII',
  'a batch',
  'from a page',
  'with its cost',
  'a long answer as it is',
])

const isAnswer = ({ text }: RawAnswer): boolean => /^\[?\{"data":/.test(text)

/** Headers that may differ from one request to the next. */
const lasting = ({ headers, status, text }: RawAnswer) => {
  const { date: _, 'x-request-id': id, 'server-timing': timing, ...others } = headers
  // How long each part took is not the same twice.
  const rest =
    timing === undefined ? others : { ...others, 'server-timing': String(timing).replaceAll(/dur=[\d.]+/g, 'dur=…') }
  assert.match(String(id), /^[0-9a-f-]{36}$/)
  return { status, headers: rest, text: text.replaceAll(String(id), 'ID') }
}

describe('a plain request', () => {
  // Answers from memory tell their age, which differs from one request to the next.
  const api = useApi({ ANSWER_CACHE_MB: '0' })
  for (const [name, [body, headers = {}]] of Object.entries(cases))
    test(`gets the same response as from Node's server: ${name}`, async () => {
      const { minaret, key } = api()
      const client = openClient(minaret, key)
      const plain = await client.send(body, { path: PLAIN, headers })
      const byNode = await client.send(body, { path: BY_NODE, headers })
      client.close()
      assert.deepEqual(lasting(plain), lasting(byNode))
      assert.equal(typeof plain.headers.date, 'string')
      if (headers['accept-encoding'] !== 'br')
        assert.equal(isAnswer(plain), answered.has(name), plain.text.slice(0, 300))
    })

  test('uses the credential of its own headers, not of the previous request on the connection', async () => {
    const { minaret, key, keyWith } = api()
    const other = await keyWith(['events:read'])
    const client = openClient(minaret)
    const ask = async (authorization: string | undefined): Promise<number> => {
      const headers = { accept: 'application/graphql-response+json', authorization }
      return (await client.send(JSON.stringify({ query: '{ up_masjids { id } }' }), { headers })).status
    }
    const statuses: number[] = []
    for (const bearer of [key, other, key, undefined, key]) statuses.push(await ask(bearer && `Bearer ${bearer}`))
    client.close()
    assert.deepEqual(statuses, [200, 403, 200, 401, 200])
  })
})
