import assert from 'node:assert/strict'
import { Agent, request } from 'node:http'
import { after, describe, test } from 'node:test'
import { limits } from '../../src/graphql/limits/limits.ts'
import { useApi } from './use-api.ts'

const api = useApi()
const GOOD = '{"query":"{ up_masjids_by_slug(slug: \\"masjid-1\\") { slug } }"}'

/** One connection for everything: what one request does to it, the next must not feel. */
const agent = new Agent({ keepAlive: true, maxSockets: 1 })
after(() => agent.destroy())

interface Received {
  readonly status: number
  readonly body: string
  readonly socket: unknown
}

const send = (body: string | Buffer, headers: Record<string, string> = {}): Promise<Received> =>
  new Promise((resolve, reject) => {
    const outgoing = request(
      api().url,
      {
        method: 'POST',
        agent,
        headers: {
          'content-type': 'application/json',
          authorization: `Bearer ${api().key}`,
          'content-length': Buffer.byteLength(body),
          ...headers,
        },
      },
      response => {
        const chunks: Buffer[] = []
        const { socket } = response
        response.on('data', chunk => chunks.push(chunk))
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString(), socket }),
        )
      },
    )
    outgoing.on('error', reject)
    outgoing.end(body)
  })

const json = (query: string, variables?: unknown): string => JSON.stringify({ query, variables })
const strict = { accept: 'application/graphql-response+json' }

const nested = (depth: number): string =>
  `${'{ up_masjids { entity { masjids '.repeat(depth / 3)}{ id }${' } } }'.repeat(depth / 3)}`
const blowUp = `query { up_masjids { ...f0 } } ${Array.from({ length: 25 }, (_, n) => `fragment f${n} on up_masjids { ${n < 24 ? `a: entity { masjids { ...f${n + 1} } } b: entity { masjids { ...f${n + 1} } }` : 'id'} }`).join(' ')}`
const wide = `{ ${Array.from({ length: 10_000 }, (_, n) => `a${n}: up_masjids { id }`).join(' ')} }`
const aliases = `{ up_masjids { ${Array.from({ length: 300 }, (_, n) => `a${n}: id`).join(' ')} } }`
const repeated = `{ up_masjids { ${'id '.repeat(1500)} } }`
const roots = `{ ${Array.from({ length: 31 }, (_, n) => `a${n}: up_masjids(limit: 1) { id }`).join(' ')} }`

describe('bad input gets a clear error, and the connection lives on', () => {
  for (const [what, body, status, code] of [
    ['not JSON', 'nonsense', 400, 'bad_request'],
    ['an empty body', '', 400, 'bad_request'],
    ['a number', '1', 400, 'bad_request'],
    ['null', 'null', 400, 'bad_request'],
    ['no query', '{}', 400, 'bad_request'],
    ['a query that is no string', '{"query":1}', 400, 'bad_request'],
    ['variables that are no object', '{"query":"{ up_masjids { id } }","variables":[1]}', 400, 'bad_request'],
    ['an empty batch', '[]', 400, 'bad_request'],
    ['a body over 256 KiB', json(`{ up_masjids { id } } #${'x'.repeat(300 * 1024)}`), 413, 'too_large'],
    ['a body of 4 MiB', json(`{ up_masjids { id } } #${'x'.repeat(4 * 1024 * 1024)}`), 413, 'too_large'],
    [
      'invalid UTF-8',
      Buffer.concat([Buffer.from('{"query":"{ up_masjids { id } } #'), Buffer.from([0xff, 0xfe]), Buffer.from('"}')]),
      400,
      'bad_request',
    ],
    ['no GraphQL', json('select 1'), 400, 'parse-failed'],
    ['an empty query', json(''), 400, 'parse-failed'],
    ['an unknown field', json('{ up_masjid { id } }'), 400, 'validation-failed'],
    ['an unknown column', json('{ up_masjids { nmae } }'), 400, 'validation-failed'],
    ['an unknown argument', json('{ up_masjids(limmit: 1) { id } }'), 400, 'validation-failed'],
    ['an unknown operator', json('{ up_masjids(where: {name: {_equals: "x"}}) { id } }'), 400, 'validation-failed'],
    ['a wrong type', json('{ up_masjids(limit: "1") { id } }'), 400, 'validation-failed'],
    [
      'a wrong type in a variable',
      json('query ($n: Int) { up_masjids(limit: $n) { id } }', { n: 'x' }),
      400,
      'bad-variables',
    ],
    ['a missing variable', json('query ($s: String!) { up_masjids_by_slug(slug: $s) { id } }'), 400, 'bad-variables'],
    ['an undefined variable', json('{ up_masjids(limit: $n) { id } }'), 400, 'validation-failed'],
    ['limit 101', json('{ up_masjids(limit: 101) { id } }'), 400, 'page-out-of-range'],
    ['limit -1', json('{ up_masjids(limit: -1) { id } }'), 400, 'page-out-of-range'],
    ['limit 1.5', json('query ($n: Int) { up_masjids(limit: $n) { id } }', { n: 1.5 }), 400, 'bad-variables'],
    ['offset over 2³¹', json('{ up_masjids(offset: 2147483648) { id } }'), 400, 'validation-failed'],
    ['offset below 0', json('query ($o: Int) { up_masjids(offset: $o) { id } }', { o: -1 }), 400, 'page-out-of-range'],
    ['a query 10,000 deep', json(nested(10_000)), 400, 'too-deep'],
    ['a query 60 deep', json(nested(60)), 400, 'too-deep'],
    [
      'lists 3,000 deep',
      json(`{ up_masjids(where: {languages: {_eq: ${'['.repeat(1500)}${']'.repeat(1500)}}}) { id } }`),
      400,
      'too-deep',
    ],
    [
      'a variable 20,000 deep',
      `{"query":"query ($w: up_masjids_bool_exp) { up_masjids(where: $w) { id } }","variables":{"w":${'{"_not":'.repeat(20_000)}{}${'}'.repeat(20_000)}}}`,
      400,
      'too-deep',
    ],
    [
      'a fragment cycle',
      json('query { up_masjids { ...a } } fragment a on up_masjids { ...b } fragment b on up_masjids { ...a }'),
      400,
      'validation-failed',
    ],
    [
      'a fragment in itself',
      json('query { up_masjids { ...a } } fragment a on up_masjids { entity { masjids { ...a } } }'),
      400,
      'validation-failed',
    ],
    [
      'a cycle of fragments called __schema',
      json('query __schema { ...__schema } fragment __schema on query_root { ...__schema }'),
      400,
      'validation-failed',
    ],
    ['fragments that double 25 times', json(blowUp), 400, 'too-deep'],
    ['10,000 aliases', json(wide), 400, 'too-many-tokens'],
    ['300 aliases', json(aliases), 400, 'too-many-aliases'],
    ['1,500 times the same field', json(repeated), 400, 'too-many-fields'],
    ['31 root fields', json(roots), 400, 'too-many-root-fields'],
    ['too many rows', json('{ up_masjids { events { occurrences { id } } } }'), 400, 'too-costly'],
    ['fields that conflict', json('{ up_masjids { a: id a: name } }'), 400, 'validation-failed'],
    [
      'arguments that conflict',
      json('{ up_masjids { events(limit: 1) { id } events(limit: 2) { id } } }'),
      400,
      'validation-failed',
    ],
    [
      'a string with NUL',
      json('query ($s: String!) { up_masjids_by_slug(slug: $s) { id } }', { s: 'a\0b' }),
      400,
      'bad-value',
    ],
    ['NUL in a pattern', json('{ up_masjids(where: {name: {_like: "\\u0000"}}) { id } }'), 400, 'bad-value'],
    [
      'NUL in JSON',
      json('query ($j: jsonb) { up_masjids(where: {adjustments: {_contains: $j}}) { id } }', { j: { a: '\0' } }),
      400,
      'bad-value',
    ],
    [
      'a number beyond its column',
      json('{ up_masjids(where: {hijri_adjustment: {_eq: 40000}}) { id } }'),
      400,
      'bad-value',
    ],
    [
      'a number beyond Int',
      json('{ up_masjids(where: {capacity: {_eq: 3000000000}}) { id } }'),
      400,
      'validation-failed',
    ],
    [
      'a number beyond bigint',
      json('{ ua_donations(where: {amount_minor: {_eq: 99999999999999999999}}) { id } }'),
      400,
      'bad-value',
    ],
    ['a number beyond float', json('{ up_masjids(where: {latitude: {_eq: 1e400}}) { id } }'), 400, 'bad-value'],
    ['a regex that PostgreSQL refuses', json('{ up_masjids(where: {name: {_regex: "("}}) { id } }'), 400, 'bad-value'],
    ['a uuid that is none', json('{ up_masjids_by_pk(id: "x") { id } }'), 400, 'bad-value'],
    ['a date that is none', json('{ ua_members(where: {joined_on: {_eq: "2026-02-30"}}) { id } }'), 400, 'bad-value'],
    [
      'a range that is none',
      json('{ pc_iqamah_schedules(where: {valid: {_overlaps: "[2,1"}}) { id } }'),
      400,
      'bad-value',
    ],
    ['an unknown enum value', json('{ up_events(where: {mode: {_eq: telepathic}}) { id } }'), 400, 'validation-failed'],
    [
      'an unknown enum value in a variable',
      json('query ($m: up_event_mode) { up_events(where: {mode: {_eq: $m}}) { id } }', { m: 'telepathic' }),
      400,
      'bad-variables',
    ],
    ['a path that cannot be read', json('{ up_masjids { adjustments(path: "a[") } }'), 400, 'bad-value'],
    ['a mutation', json('mutation { insert_up_masjids { id } }'), 400, 'validation-failed'],
    ['a subscription', json('subscription { up_masjids { id } }'), 400, 'validation-failed'],
  ] as const)
    test(what, async () => {
      const before = await send(GOOD)
      const refused = await send(body, strict)
      assert.equal(refused.status, status, refused.body.slice(0, 300))
      const { errors, data } = JSON.parse(refused.body) as {
        errors: { message: string; extensions: { code: string } }[]
        data?: unknown
      }
      assert.equal(errors[0]?.extensions.code, code, refused.body.slice(0, 300))
      assert.ok((errors[0]?.message.length ?? 0) > 8)
      assert.equal(data, undefined)
      const next = await send(GOOD)
      assert.equal(next.body, '{"data":{"up_masjids_by_slug":{"slug":"masjid-1"}}}')
      assert.equal(next.socket, before.socket)
    })

  test('limits say the figure, the maximum and what to lower', async () => {
    for (const [body, figure, maximum, advice] of [
      [aliases, /201/, limits.aliases, /split/i],
      [roots, /31/, limits.rootFields, /split/i],
      [nested(60), /21/, limits.depth, /less/],
      [
        '{ up_masjids { events { occurrences { id } } } }',
        /1010100/,
        limits.cost,
        /limit.*up_masjids\.events\.occurrences/,
      ],
    ] as const) {
      const { errors } = JSON.parse((await send(json(body))).body) as { errors: { message: string }[] }
      assert.match(errors[0]?.message ?? '', figure)
      assert.ok(errors[0]?.message.includes(String(maximum)))
      assert.match(errors[0]?.message ?? '', advice)
    }
  })

  test('an unknown field comes with suggestions', async () => {
    const { body } = await send(json('{ up_masjids { naem } }'))
    assert.match(body, /Did you mean \\"name\\"/)
  })
})

describe('SQL in every place for a string', () => {
  const evil = `'; drop table up_masjids; -- "; select pg_sleep(9); \\`
  for (const [place, query, variables] of [
    ['a value', 'query ($e: String!) { up_masjids(where: {name: {_eq: $e}}) { id } }', {}],
    ['a literal', `{ up_masjids(where: {name: {_eq: ${JSON.stringify(evil)}}}) { id } }`, {}],
    ['a list', 'query ($e: String!) { up_masjids(where: {name: {_in: [$e]}}) { id } }', {}],
    ['an array', 'query ($e: String!) { up_masjids(where: {languages: {_overlaps: [$e]}}) { id } }', {}],
    ['a pattern', 'query ($e: String!) { up_masjids(where: {name: {_ilike: $e}}) { id } }', {}],
    ['JSON', 'query ($j: jsonb) { up_masjids(where: {adjustments: {_contains: $j}}) { id } }', { j: { [evil]: evil } }],
    ['a key of JSON', 'query ($e: String!) { up_masjids(where: {adjustments: {_has_key: $e}}) { id } }', {}],
    ['keys of JSON', 'query ($e: String!) { up_masjids(where: {adjustments: {_has_keys_any: [$e]}}) { id } }', {}],
    ['a unique key', 'query ($e: String!) { up_masjids_by_slug(slug: $e) { id } }', {}],
    ['an argument of a function', 'query ($e: String!) { up_masjids_search(args: {search: $e}) { id } }', {}],
    ['a cursor', 'query ($e: String!) { up_masjids(after: $e) { id } }', {}],
    ['a path', 'query ($e: String!) { up_masjids { adjustments(path: $e) } }', {}],
    ['a uuid', 'query ($u: uuid!) { up_masjids_by_pk(id: $u) { id } }', { u: evil }],
    ['a date', 'query ($u: timestamptz!) { up_masjids(where: {verified_at: {_gt: $u}}) { id } }', { u: evil }],
  ] as const)
    test(`does nothing in ${place}`, async () => {
      const declared = query.includes('$e') ? { e: evil } : {}
      const { status, body } = await send(json(query, { ...declared, ...variables }), strict)
      assert.ok(status === 200 || status === 400, body)
      assert.doesNotMatch(body, /syntax error|"unexpected"/)
      assert.equal(
        JSON.parse((await send(json('{ up_masjids_aggregate { aggregate { count } } }'))).body).data
          .up_masjids_aggregate.aggregate.count,
        11,
      )
    })

  test('an operation name and an alias of any length are only names', async () => {
    const long = 'a'.repeat(80)
    const { body } = await send(
      json(
        `query ${long} { ${long}1: up_masjids(limit: 1) { ${long}2: slug ${long}3: id __typename } ${long}4: __typename }`,
      ),
    )
    const { data } = JSON.parse(body)
    assert.equal(data[`${long}4`], 'query_root')
    assert.deepEqual(Object.keys(data[`${long}1`][0]), [`${long}2`, `${long}3`, '__typename'])
  })
})
