// Requests designed to exhaust the service: each is refused quickly, before any work, naming the figure, the maximum and what to lower.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { rawSql, sql } from '../../src/db/sql.ts'
import type { Question } from '../support/graphql.ts'
import { startWatch } from '../support/waited.ts'
import { checkError, type Expected, useRefusals } from './use-refusals.ts'

const times = (count: number, part: (index: number) => string, between = ' '): string =>
  Array.from({ length: count }, (_, index) => part(index)).join(between)

const nest = (depth: number, open: string, inner: string, close: string): string =>
  `${open.repeat(depth)}${inner}${close.repeat(depth)}`

/** 2 ** 30 fields when expanded. */
const bomb = `{ ...F0 } ${times(30, index => `fragment F${index} on query_root { ...F${index + 1} ...F${index + 1} }`)}
  fragment F30 on query_root { __typename }`

const wheres = (depth: number): unknown => {
  let where: unknown = { name: { _eq: 'x' } }
  for (let level = 0; level < depth; level += 1) where = { _not: where }
  return where
}

/** From a masjid to its events and back, over and over. */
const fan = (rounds: number): unknown =>
  rounds === 0 ? { name: { _like: '%nowhere%' } } : { events: { masjid: fan(rounds - 1) } }

interface Attack extends Expected {
  readonly name: string
  readonly question: Question
  /** It may be answered if it is cheap. */
  readonly harmless?: true
}

const attack = (name: string, query: string, code: string, says: RegExp): Attack => ({
  name,
  question: { query },
  code,
  says,
})

const filtered = 'query ($w: up_masjids_bool_exp) { up_masjids(where: $w) { id } }'

const attacks: readonly Attack[] = [
  attack('10,000 levels of fields', nest(10_000, '{ a ', '', '}'), 'too-many-tokens', /4000/),
  attack('1,000 levels of fields', nest(1000, '{ a ', '{ b }', '}'), 'too-deep', /20/),
  attack(
    '21 levels of relationships',
    `{ up_masjids(limit: 1) ${nest(10, '{ events(limit: 1) { masjid ', '{ id }', '} }')} }`,
    'too-deep',
    /at least 21 fields deep; the maximum is 20/,
  ),
  attack(
    '10,000 levels of lists in an argument',
    `{ up_masjids(limit: ${nest(10_000, '[', '1', ']')}) { id } }`,
    'too-many-tokens',
    /4000/,
  ),
  attack(
    '1,000 levels of lists in an argument',
    `{ up_masjids(limit: ${nest(1000, '[', '1', ']')}) { id } }`,
    'too-deep',
    /40/,
  ),
  attack('1,000 levels of _not', `{ up_masjids(where: ${nest(600, '{_not: ', '{}', '}')}) { id } }`, 'too-deep', /40/),
  attack('10,000 aliases', `{ ${times(10_000, index => `a${index}: __typename`)} }`, 'too-many-tokens', /4000/),
  attack(
    '1,000 aliases',
    `{ ${times(1000, index => `a${index}: __typename`)} }`,
    'too-many-aliases',
    /201 aliases; the maximum is 200/,
  ),
  attack(
    'aliases in fragments',
    `{ ${times(50, () => '...F')} } fragment F on query_root { ${times(10, index => `a${index}: __typename`)} }`,
    'too-many-aliases',
    /200/,
  ),
  attack(
    '100 fields at the root',
    `{ ${times(100, index => `a${index}: up_masjids(limit: 0) { id }`)} }`,
    'too-many-root-fields',
    /100 fields.*30/,
  ),
  attack(
    'the same field 3,000 times',
    `{ up_masjids { ${times(3000, () => 'id')} } }`,
    'too-many-fields',
    /1001 fields.*1000/,
  ),
  attack('fragments that double 30 times', bomb, 'too-many-fields', /1000/),
  attack(
    'a circle of fragments',
    '{ ...A } fragment A on query_root { ...B } fragment B on query_root { ...A }',
    'validation-failed',
    /Cannot spread/,
  ),
  attack(
    'a circle through a field',
    '{ up_masjids { ...A } } fragment A on up_masjids { events { masjid { ...A } } }',
    'validation-failed',
    /Cannot spread/,
  ),
  attack(
    'many circles',
    `{ ${times(90, index => `...F${index}`)} } ${times(90, index => `fragment F${index} on query_root { ...F${(index + 1) % 90} ...F${(index + 7) % 90} }`)}`,
    'too-many-fields',
    /1000/,
  ),
  attack(
    '100 rows of 100 rows of 100 rows',
    '{ ua_members { donations { member { donations { id } } } } }',
    'too-costly',
    /50000.*[Ll]ower `limit`/,
  ),
  attack(
    'many totals',
    `{ ua_members { donations { member { ${times(20, index => `a${index}: donations_aggregate { aggregate { count } }`)} } } } }`,
    'too-costly',
    /50000/,
  ),
  attack(
    'deep introspection',
    '{ __schema { types { fields { type { fields { type { fields { type { fields { name } } } } } } } } } }',
    'validation-failed',
    /introspection depth/,
  ),
  attack(
    'deep introspection under other names',
    'query __schema { a: __schema { ...__type } } fragment __type on __Schema { b: types { c: fields { d: type { e: fields { f: type { g: fields { h: type { i: fields { name } } } } } } } } }',
    'validation-failed',
    /introspection depth/,
  ),
  attack(
    'limits passed by the name of an operation',
    `query __schema { ua_members { donations { member { donations { id } } } } }`,
    'too-costly',
    /50000/,
  ),
  attack(
    'limits passed by the name of a fragment',
    `{ ...__schema } fragment __schema on query_root { ua_members { donations { member { donations { id } } } } }`,
    'too-costly',
    /50000/,
  ),
  attack(
    'an operation that is not asked for',
    `query A { __typename } query B { ${times(300, index => `a${index}: __typename`)} }`,
    'too-many-aliases',
    /200/,
  ),
  attack(
    '40 keys to sort by',
    `{ up_masjids(order_by: [${times(40, () => '{name: asc}', ', ')}]) { id } }`,
    'validation-failed',
    /40 keys; the maximum is 32/,
  ),
  {
    name: 'a filter of 1,000 levels in a variable',
    question: { query: filtered, variables: { w: wheres(1000) } },
    code: 'too-deep',
    says: /\$w.*40/,
  },
  {
    name: 'a filter of 5,000 branches in a variable',
    question: {
      query: filtered,
      variables: { w: { _or: Array.from({ length: 5000 }, () => ({ name: { _eq: 'x' } })) } },
    },
    code: 'too-many-conditions',
    says: /1001 conditions; the maximum is 1000/,
  },
  {
    name: 'a filter of 2,000 relationships in a variable',
    question: { query: filtered, variables: { w: { _and: Array.from({ length: 2000 }, () => ({ events: {} })) } } },
    code: 'too-many-conditions',
    says: /101 relationships.*100/,
  },
  {
    name: 'a filter of 95 relationships in a variable',
    question: { query: filtered, variables: { w: { _and: Array.from({ length: 95 }, () => ({ events: {} })) } } },
    code: 'too-costly',
    says: /\d/,
    harmless: true,
  },
  {
    name: 'a filter that fans out at every level',
    question: { query: filtered, variables: { w: fan(9) } },
    code: 'too-deep',
    says: /6 relationships within each other/,
  },
  {
    name: 'many filters that fan out as far as they may',
    question: { query: filtered, variables: { w: { _or: Array.from({ length: 16 }, () => fan(3)) } } },
    code: 'too-costly',
    says: /\d/,
    harmless: true,
  },
  attack(
    'the same response key 600 times over 2 levels',
    `{ up_events(limit: 1) { ${times(600, () => 'masjid { id }')} } }`,
    'too-many-fields',
    /1000/,
  ),
]

/** Far less than the database would need; far more than a busy machine takes. */
const SOON_MS = 10_000

describe('a request designed to exhaust the service', () => {
  const refusals = useRefusals()

  for (const { name, question, harmless, ...expected } of attacks)
    test(name, async () => {
      const { client, refused } = refusals()
      const watch = startWatch()
      if (harmless === true) {
        const { status, text } = await client.query(question)
        assert.ok(status < 500 && !text.includes('"timeout"'), text.slice(0, 300))
      } else await refused(question, expected)
      const took = watch()
      assert.ok(took < SOON_MS, `it took ${Math.round(took)} ms`)
    })

  /** Every operation gets an error, so that clients that expect one response each show the reason. */
  const refusedBatch = async (batch: readonly object[], expected: Parameters<typeof checkError>[1]): Promise<void> => {
    const { text, status } = await refusals().client.send(JSON.stringify(batch))
    const bodies = JSON.parse(text) as { errors: Parameters<typeof checkError>[0][] }[]
    assert.deepEqual([status, bodies.length], [200, batch.length])
    for (const { errors } of bodies) checkError(errors[0], expected, text)
  }

  test('a batch of 11', async () => {
    const batch = Array.from({ length: 11 }, () => ({ query: '{ __typename }' }))
    await refusedBatch(batch, { code: 'batch-too-large', says: /11 operations; the maximum is 10/ })
  })

  test('the cost of a batch is the sum of its operations', async () => {
    const batch = Array.from({ length: 6 }, () => ({ query: '{ up_masjids { events { id } } }' }))
    await refusedBatch(batch, { code: 'too-costly', says: /50000/ })
  })

  test('one bad operation in a batch does not affect the others', async () => {
    const { client } = refusals()
    const { body, status } = await client.query([{ query: '{ __typename }' }, { query: '{ nonsense }' }])
    const [good, bad] = body as unknown as [{ data: unknown }, { errors: { extensions: { code: string } }[] }]
    assert.equal(status, 200)
    assert.deepEqual(good, { data: { __typename: 'query_root' } })
    assert.equal(bad.errors[0]?.extensions.code, 'validation-failed')
  })

  test('_in with 1,000 values is one parameter, and is answered', async () => {
    const { answered } = refusals()
    const ids = Array.from({ length: 1000 }, (_, index) => `masjid-${index}`)
    const query = 'query ($s: [String!]) { up_masjids(where: {slug: {_in: $s}}) { slug } }'
    const data = await answered({ query, variables: { s: ids } })
    assert.equal((data.up_masjids as unknown[]).length, 11)
  })

  test('an alias of 4,000 letters is kept in the response', async () => {
    const { answered } = refusals()
    const name = 'a'.repeat(4000)
    const data = await answered({ query: `query ${name} { ${name}: up_masjids(limit: 1) { ${name}: slug } }` })
    const rows = data[name] as Record<string, unknown>[]
    assert.deepEqual(Object.keys(rows[0] ?? {}), [name])
  })

  test('aliases that PostgreSQL would truncate to the same 63 letters stay distinct', async () => {
    const { answered } = refusals()
    const long = 'a'.repeat(70)
    const data = await answered({ query: `{ up_masjids(limit: 1) { ${long}1: slug ${long}2: city } }` })
    assert.deepEqual(Object.keys((data.up_masjids as object[])[0] ?? {}), [`${long}1`, `${long}2`])
  })

  test('a response over 16 MiB', async () => {
    const { refused, minaret } = refusals()
    await minaret.service.database.run(sql`update up_events set description = repeat('x', 20000)`)
    const query = `{ up_events(limit: 100) { ${times(90, index => `d${index}: description`)} } }`
    await refused({ query }, { code: 'too-costly', says: /larger than 16777216 bytes.*`limit`.*fewer columns/ })
  })

  test('a statement that takes too long is cancelled, and the error says so', async () => {
    const { refused, minaret } = refusals()
    await minaret.service.database.run(
      rawSql(`create or replace function public.up_masjids_search(
          search text, latitude double precision default null, longitude double precision default null
        ) returns setof public.up_masjids language sql stable as $$ select masjid.* from public.up_masjids masjid, pg_sleep(600) $$`),
    )
    const query = '{ up_masjids_search(args: {search: "x"}) { id } }'
    // As long as the service of a test lets it run: it has to be patient with all the others.
    await refused({ query }, { code: 'timeout', says: /20000 ms/ })
  })
})
