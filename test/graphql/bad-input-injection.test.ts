// SQL, JSON and JavaScript wherever a string is accepted: each is a plain value or is refused, and nothing changes.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, test } from 'node:test'
import { sql } from '../../src/db/sql.ts'
import type { Question } from '../support/graphql.ts'
import { type Refusals, useRefusals } from './use-refusals.ts'

const payloads: readonly string[] = [
  "'; drop table up_masjids; --",
  "' or '1'='1",
  '" or 1=1 --',
  "'); delete from public.up_masjids where ('1'='1",
  "x' union select password_hash from minaret.users --",
  '$$; select pg_sleep(10); $$',
  "\\'; select pg_sleep(10); --",
  '#{process.exit(1)}',
  '{{constructor.constructor("return process")()}}',
  '$1::text',
  '%s %n %x',
  '/* */ -- #',
  '{"a":1}',
  "E'\\\\x00'",
  '__proto__',
  'constructor',
  'null',
  'NULL',
  '{NULL}',
  '","x":"',
  '‮\u2028\u2029\uFEFF',
  '\u{1F54C}'.repeat(50),
]

/** A string in each position, as a literal or as a variable. */
const places: readonly (readonly [name: string, question: (text: string) => Question])[] = [
  ['_eq', text => ({ query: `{ up_masjids(where: {name: {_eq: ${JSON.stringify(text)}}}) { id } }` })],
  ['_in', text => ({ query: `{ up_masjids(where: {name: {_in: [${JSON.stringify(text)}]}}) { id } }` })],
  [
    '_eq in a variable',
    text => ({ query: 'query ($v: String!) { up_masjids(where: {name: {_eq: $v}}) { id } }', variables: { v: text } }),
  ],
  [
    'where in a variable',
    text => ({
      query: 'query ($w: up_masjids_bool_exp) { up_masjids(where: $w) { id } }',
      variables: { w: { name: { _in: [text] } } },
    }),
  ],
  [
    'elements of an array',
    text => ({
      query: 'query ($v: [String!]) { up_masjids(where: {languages: {_overlaps: $v}}) { id } }',
      variables: { v: [text, `${text},${text}`] },
    }),
  ],
  [
    'JSON',
    text => ({
      query: 'query ($v: jsonb) { up_masjids(where: {adjustments: {_contains: $v}}) { id } }',
      variables: { v: { [text]: text } },
    }),
  ],
  [
    'a key of JSON',
    text => ({
      query: 'query ($v: String) { up_masjids(where: {adjustments: {_has_key: $v}}) { id } }',
      variables: { v: text },
    }),
  ],
  [
    'a unique key',
    text => ({ query: 'query ($v: String!) { up_masjids_by_slug(slug: $v) { id } }', variables: { v: text } }),
  ],
]

/** Here the string is a pattern, another type, or a name, so it may be refused. */
const strictPlaces: readonly (readonly [name: string, question: (text: string) => Question])[] = [
  [
    'a function',
    text => ({ query: 'query ($v: String!) { up_masjids_search(args: {search: $v}) { id } }', variables: { v: text } }),
  ],
  ['_like', text => ({ query: `{ up_masjids(where: {name: {_like: ${JSON.stringify(text)}}}) { id } }` })],
  ['_regex', text => ({ query: `{ up_masjids(where: {name: {_iregex: ${JSON.stringify(text)}}}) { id } }` })],
  ['_similar', text => ({ query: `{ up_masjids(where: {name: {_similar: ${JSON.stringify(text)}}}) { id } }` })],
  ['uuid', text => ({ query: `{ up_masjids_by_pk(id: ${JSON.stringify(text)}) { id } }` })],
  ['timestamptz', text => ({ query: `{ up_masjids(where: {created_at: {_gt: ${JSON.stringify(text)}}}) { id } }` })],
  ['bigint', text => ({ query: `{ ua_campaigns(where: {goal_minor: {_gt: ${JSON.stringify(text)}}}) { id } }` })],
  [
    'range',
    text => ({ query: `{ pc_iqamah_schedules(where: {valid: {_contains: ${JSON.stringify(text)}}}) { id } }` }),
  ],
  ['enum as text', text => ({ query: `{ up_masjids(where: {verification: {_eq: ${JSON.stringify(text)}}}) { id } }` })],
  ['enum', text => ({ query: `{ up_masjids(where: {verification: {_eq: ${text}}}) { id } }` })],
  [
    'enum in a variable',
    text => ({
      query: 'query ($v: up_verification) { up_masjids(where: {verification: {_eq: $v}}) { id } }',
      variables: { v: text },
    }),
  ],
  ['direction', text => ({ query: `{ up_masjids(order_by: {name: ${text}}) { id } }` })],
  [
    'direction in a variable',
    text => ({
      query: 'query ($o: [up_masjids_order_by!]) { up_masjids(order_by: $o) { id } }',
      variables: { o: { name: text } },
    }),
  ],
  [
    'column to sort by',
    text => ({
      query: 'query ($o: [up_masjids_order_by!]) { up_masjids(order_by: $o) { id } }',
      variables: { o: { [text]: 'asc' } },
    }),
  ],
  [
    'column to filter by',
    text => ({
      query: 'query ($w: up_masjids_bool_exp) { up_masjids(where: $w) { id } }',
      variables: { w: { [text]: { _eq: 'x' } } },
    }),
  ],
  [
    'operator',
    text => ({
      query: 'query ($w: up_masjids_bool_exp) { up_masjids(where: $w) { id } }',
      variables: { w: { name: { [text]: 'x' } } },
    }),
  ],
  [
    'distinct_on',
    text => ({
      query: 'query ($d: [up_masjids_select_column!]) { up_masjids(distinct_on: $d) { id } }',
      variables: { d: [text] },
    }),
  ],
  ['path of JSON', text => ({ query: `{ up_masjids(limit: 1) { adjustments(path: ${JSON.stringify(text)}) } }` })],
  ['cursor', text => ({ query: `{ up_masjids(after: ${JSON.stringify(text)}) { id } }` })],
  [
    'inside a cursor',
    text => ({
      query: `{ up_masjids(after: ${JSON.stringify(Buffer.from(JSON.stringify([text, text])).toString('base64url'))}) { id } }`,
    }),
  ],
  [
    'limit in a variable',
    text => ({ query: 'query ($n: Int) { up_masjids(limit: $n) { id } }', variables: { n: text } }),
  ],
  [
    'offset in a variable',
    text => ({ query: 'query ($n: Int) { up_masjids(offset: $n) { id } }', variables: { n: text } }),
  ],
  ['operationName', text => ({ query: 'query A { __typename }', operationName: text })],
  ['alias', text => ({ query: `{ ${text}: up_masjids { id } }` })],
  ['field', text => ({ query: `{ ${text} { id } }` })],
  ['name of a type', text => ({ query: `{ __type(name: ${JSON.stringify(text)}) { name } }` })],
  ['name of a variable', text => ({ query: '{ __typename }', variables: { [text]: text } })],
  [
    'hash of a persisted query',
    text => ({ query: '{ __typename }', extensions: { persistedQuery: { version: 1, sha256Hash: text } } }),
  ],
]

/** Tables, their rows and the accounts must be the same before and after. */
const fingerprint = async ({ minaret }: Refusals): Promise<string> => {
  const rows = await minaret.service.database.query<{ state: string }>(sql`
    select (select string_agg(relname, ',' order by relname) from pg_class where relnamespace = 'public'::regnamespace)
      || (select string_agg(m::text, ',' order by m.id) from public.up_masjids m)
      || (select count(*) from minaret.users) as state`)
  return createHash('sha256')
    .update(rows[0]?.state ?? '')
    .digest('hex')
}

const LEAKS = /password|\bminaret\.|relation "|syntax error at|pg_|stack|node_modules/

describe('code instead of values', () => {
  const refusals = useRefusals()

  for (const [name, question] of places)
    test(`${name}: compared literally`, async () => {
      const before = await fingerprint(refusals())
      for (const text of payloads) {
        const [rows] = Object.values(await refusals().answered(question(text)))
        assert.ok(rows === null || (Array.isArray(rows) && rows.length === 0), `${text}: ${JSON.stringify(rows)}`)
      }
      assert.equal(await fingerprint(refusals()), before)
    })

  for (const [name, question] of strictPlaces)
    test(`${name}: answered or refused, without side effects`, async () => {
      const { client } = refusals()
      const before = await fingerprint(refusals())
      for (const text of payloads) {
        const { status, body, text: answer } = await client.query(question(text))
        assert.ok(status === 200 || status === 400, `${text}: ${status} ${answer}`)
        for (const error of body.errors ?? []) {
          assert.notEqual(error.extensions.code, 'unexpected', `${text}: ${answer}`)
          assert.doesNotMatch(error.message.replaceAll(text, ''), LEAKS, `${text}: ${answer}`)
        }
      }
      assert.equal(await fingerprint(refusals()), before)
    })

  test('a stored string is found by an equal string, whatever it contains', async () => {
    const { answered, minaret } = refusals()
    const { database } = minaret.service
    for (const text of payloads) {
      await database.run(sql`update public.up_masjids set address = ${text} where slug = 'masjid-3'`)
      const query = `query ($v: String!) { text: up_masjids(where: {address: {_eq: ${JSON.stringify(text)}}}) { address }
        variable: up_masjids(where: {address: {_in: [$v]}}) { address } }`
      const data = await answered({ query, variables: { v: text } })
      assert.deepEqual(data, { text: [{ address: text }], variable: [{ address: text }] })
    }
  })

  test('keys that every JavaScript object inherits are ordinary keys', async () => {
    const { client, answered } = refusals()
    const query = 'query ($v: jsonb) { up_masjids(where: {adjustments: {_contains: $v}}) { id } }'
    for (const key of ['__proto__', 'constructor', 'toString', 'hasOwnProperty']) {
      const { status, text } = await client.send(
        `{"query":${JSON.stringify(query)},"variables":{"v":{"${key}":{"polluted":true}}}}`,
      )
      assert.equal(status, 200, text)
      assert.deepEqual(JSON.parse(text), { data: { up_masjids: [] } })
      const unknown = await client.send(
        `{"query":"{ __typename }","variables":{"${key}":{"polluted":true}},"${key}":{"polluted":true}}`,
      )
      assert.equal(unknown.text, '{"data":{"__typename":"query_root"}}')
    }
    assert.equal(({} as Record<string, unknown>).polluted, undefined)
    const named = await answered({ query: '{ constructor: up_masjids(limit: 1) { toString: slug valueOf: id } }' })
    assert.deepEqual(Object.keys((named.constructor as unknown as object[])[0] ?? {}), ['toString', 'valueOf'])
    const variable =
      'query ($constructor: Int, $toString: Int) { up_masjids(limit: $constructor, offset: $toString) { id } }'
    assert.equal(((await answered({ query: variable })).up_masjids as unknown[]).length, 11)
  })

  test('__proto__ as an alias is a key of the response', async () => {
    const { client } = refusals()
    const { text } = await client.send(
      JSON.stringify({ query: '{ __proto__: up_masjids(limit: 1) { __proto__: slug } }' }),
    )
    assert.match(text, /^\{"data":\{"__proto__":\[\{"__proto__":"masjid-/)
  })

  test('a lone surrogate in a variable is refused or compared, never stored or passed on', async () => {
    const { client } = refusals()
    for (const half of ['"\\ud83d"', '"\\udd4c"', '"\\udd4c\\ud83d"']) {
      const query = 'query ($v: String) { up_masjids(where: {name: {_eq: $v}}) { id } }'
      const { status, text } = await client.send(`{"query":${JSON.stringify(query)},"variables":{"v":${half}}}`)
      assert.ok(status === 400 || (status === 200 && text === '{"data":{"up_masjids":[]}}'), text)
    }
  })

  test('code in headers is not executed', async () => {
    const { client } = refusals()
    for (const text of payloads.filter(one => /^[\x20-\x7e]+$/.test(one))) {
      const headers = {
        'x-request-id': text,
        'x-minaret-explain': text,
        'if-none-match': text,
        origin: text,
        'user-agent': text,
      }
      const { status, text: answer } = await client.send('{"query":"{ __typename }"}', { headers })
      assert.equal(status, 200, answer)
      assert.equal(answer, '{"data":{"__typename":"query_root"}}')
    }
  })
})
