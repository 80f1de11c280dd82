// Malformed requests: each is refused with a reason, and the connection serves the next request.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import type { Sending } from '../support/graphql.ts'
import { type Expected, useRefusals } from './use-refusals.ts'

interface Case extends Expected {
  readonly name: string
  readonly body?: string | Buffer
  readonly sending?: Sending
}

const headers = (values: Record<string, string | undefined>): Sending => ({
  headers: values as Record<string, string>,
})
const query = '{"query":"{ __typename }"}'
const bad = (name: string, body: string | Buffer | undefined, says: RegExp): Case => ({
  name,
  code: 'bad_request',
  says,
  ...(body === undefined ? {} : { body }),
})

const bodies: readonly Case[] = [
  bad('no body', undefined, /empty/),
  bad('an empty body', '', /empty/),
  bad('text', 'hello', /not JSON/),
  bad('JSON that breaks off', '{"query":"{ __typename }"', /not JSON/),
  bad('two documents', `${query}${query}`, /not JSON/),
  bad('a bare query', '{ __typename }', /not JSON/),
  bad('a form', 'query=%7B__typename%7D', /not JSON/),
  bad('null', 'null', /JSON object/),
  bad('a number', '1', /JSON object/),
  bad('a string', '"{ __typename }"', /JSON object/),
  bad('true', 'true', /JSON object/),
  bad('an empty batch', '[]', /batch is empty/),
  bad('a batch of numbers', '[1]', /JSON object/),
  bad('a batch of batches', `[[${query}]]`, /JSON object/),
  bad('no query', '{}', /no "query"/),
  bad('query: null', '{"query":null}', /no "query"/),
  bad('query: 1', '{"query":1}', /"query" must be a string/),
  bad('query: {}', '{"query":{}}', /"query" must be a string/),
  bad('variables: text', '{"query":"{__typename}","variables":"{}"}', /"variables" must be an object/),
  bad('variables: []', '{"query":"{__typename}","variables":[]}', /"variables" must be an object/),
  bad('operationName: 1', '{"query":"{__typename}","operationName":1}', /"operationName" must be a string/),
  bad('extensions: []', '{"query":"{__typename}","extensions":[]}', /"extensions" must be an object/),
  bad('invalid UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d]), /UTF-8/),
  bad('UTF-8 cut in a letter', Buffer.from(`{"query":"{ __typename } # é`).subarray(0, -1), /UTF-8/),
  bad('UTF-16', Buffer.from(query, 'utf16le'), /JSON|UTF-8/),
  bad('JSON of 100,000 lists', '['.repeat(100_000), /JSON/),
]

const huge = (bytes: number): string => `{"query":"{ __typename } #${'x'.repeat(bytes)}"}`
const tooLarge = { status: 413, code: 'too_large', says: /262144/ }

const frames: readonly Case[] = [
  { name: 'a body over 256 KiB', body: huge(256 * 1024), ...tooLarge },
  { name: 'a body of 4 MiB', body: huge(4 * 1024 * 1024), ...tooLarge },
  {
    name: 'a body over 256 KiB in chunks',
    body: huge(300_000),
    sending: headers({ 'transfer-encoding': 'chunked' }),
    ...tooLarge,
  },
  ...['text/plain', 'application/x-www-form-urlencoded', 'application/graphql', 'application/jsonp', 'nonsense'].map(
    type => ({
      name: `content-type ${type}`,
      body: query,
      sending: headers({ 'content-type': type }),
      status: 415,
      code: 'unsupported-media-type',
      says: /application\/json/,
    }),
  ),
  {
    name: 'another charset',
    body: query,
    sending: headers({ 'content-type': 'application/json; charset=iso-8859-1' }),
    status: 415,
    code: 'unsupported-media-type',
    says: /UTF-8/,
  },
  {
    name: 'no content-type',
    body: query,
    sending: headers({ 'content-type': undefined }),
    status: 415,
    code: 'unsupported-media-type',
    says: /application\/json/,
  },
  {
    name: 'an answer that cannot be given',
    body: query,
    sending: headers({ accept: 'text/html' }),
    status: 406,
    code: 'not-acceptable',
    says: /application\/json/,
  },
  ...['PUT', 'PATCH', 'DELETE'].map(method => ({
    name: method,
    body: query,
    sending: { method },
    status: 405,
    code: 'method-not-allowed',
    says: /POST/,
  })),
  {
    name: 'a compressed body',
    body: gzipSync(query),
    sending: headers({ 'content-encoding': 'gzip' }),
    status: 415,
    code: 'unsupported-media-type',
    says: /compress/,
  },
]

const get = (parameters: Record<string, string>): Sending => ({
  method: 'GET',
  path: `/v1/graphql?${new URLSearchParams(parameters)}`,
  headers: { 'content-type': undefined as unknown as string },
})

const gets: readonly Case[] = [
  { name: 'GET without a query', sending: get({}), code: 'bad_request', says: /no "query"/ },
  {
    name: 'GET with variables that are not JSON',
    sending: get({ query: '{__typename}', variables: '{' }),
    code: 'bad_request',
    says: /variables.*not JSON/,
  },
  {
    name: 'GET with variables that are a list',
    sending: get({ query: '{__typename}', variables: '[1]' }),
    code: 'bad_request',
    says: /"variables" must be an object/,
  },
  {
    name: 'GET with a mutation',
    sending: get({ query: 'mutation { delete_up_masjids { affected_rows } }' }),
    status: 405,
    code: 'method-not-allowed',
    says: /POST/,
  },
  {
    name: 'GET with a mutation among queries',
    sending: get({ query: 'query A { __typename } mutation B { x }', operationName: 'B' }),
    status: 405,
    code: 'method-not-allowed',
    says: /POST/,
  },
  {
    name: 'GET with the query twice',
    sending: { ...get({}), path: '/v1/graphql?query=%7B__typename%7D&query=%7B__typename%7D' },
    code: 'bad_request',
    says: /"query" must be a string/,
  },
]

const credentials: readonly (readonly [name: string, authorization: string | undefined, code: string])[] = [
  ['no credential', undefined, 'missing_token'],
  ['an empty one', '', 'missing_token'],
  ['a scheme only', 'Bearer', 'missing_token'],
  ['another scheme', 'Basic dXNlcjpwYXNz', 'missing_token'],
  ['nonsense', 'Bearer nonsense', 'invalid_token'],
  ['an unknown key', `Bearer mk_live_${'a'.repeat(38)}`, 'invalid_token'],
  ['a key of the sandbox', 'Bearer mk_test_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', 'invalid_token'],
  ['SQL', "Bearer ' or 1=1; drop table minaret.api_keys; --", 'missing_token'],
  ['a token that nobody signed', 'Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiJ4In0.', 'invalid_token'],
  ['12,000 letters', `Bearer ${'x'.repeat(12_000)}`, 'invalid_token'],
]

describe('a request to the sandbox that cannot be read', () => {
  const refusals = useRefusals({}, 'sandbox')
  for (const { name, body, sending, ...expected } of [...bodies, ...frames, ...gets])
    test(name, async () => {
      await refusals().refusedBody(body, expected, sending)
    })

  test('an invalid credential is refused there too', async () => {
    const sending = { headers: { authorization: 'Bearer nonsense' } }
    await refusals().refusedBody(query, { status: 401, code: 'invalid_token', says: /./ }, sending)
  })
})

describe('a request that cannot be read', () => {
  const refusals = useRefusals()
  for (const { name, body, sending, ...expected } of [...bodies, ...frames, ...gets])
    test(name, async () => {
      await refusals().refusedBody(body, expected, sending)
    })

  for (const [name, authorization, code] of credentials)
    test(`credential: ${name}`, async () => {
      const { refusedBody } = refusals()
      const sending = { headers: { authorization: authorization as string } }
      const answer = await refusedBody(query, { status: 401, code, says: /./ }, sending)
      assert.match(String(answer.headers['www-authenticate']), /^Bearer\b/)
    })

  test('a body that is far too large closes the connection, and the service stays up', async () => {
    const { client, answered } = refusals()
    await client.send(huge(20 * 1024 * 1024)).then(
      ({ status }) => assert.equal(status, 413),
      (error: NodeJS.ErrnoException) => assert.match(String(error.code), /ECONNRESET|EPIPE/),
    )
    assert.equal((await answered({ query: '{ __typename }' })).__typename, 'query_root')
  })

  test('the last of two equal keys in a body counts, as in every JSON parser', async () => {
    const { client } = refusals()
    const { text } = await client.send('{"query":"{ nonsense }","query":"{ __typename }"}')
    assert.equal(text, '{"data":{"__typename":"query_root"}}')
  })
})
