// An app makes a cheap-looking query expensive through its values: large offsets, long lists, long patterns.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { useApi } from '../../graphql/use-api.ts'
import type { Data } from '../../support/graphql.ts'

const api = useApi()

const answerTo = async (query: string, variables: Record<string, unknown> = {}) => {
  const headers = { accept: 'application/graphql-response+json', 'x-minaret-explain': '1' }
  const response = await api().post({ query, variables }, headers)
  return { status: response.status, body: (await response.json()) as Data }
}

const costOf = async (query: string, variables: Record<string, unknown> = {}): Promise<number> =>
  (await answerTo(query, variables)).body.extensions.cost.rows

const refusalOf = async (query: string, variables: Record<string, unknown> = {}) => {
  const { status, body } = await answerTo(query, variables)
  assert.equal(status, 400, JSON.stringify(body))
  const [{ message, extensions }] = body.errors
  return { message, code: extensions.code }
}

describe('an offset', () => {
  test('of any size is accepted at the root', async () => {
    for (const offset of [0, 1_000_000, 2_147_483_647]) {
      const query = 'query ($o: Int) { a: up_masjids(offset: $o) { id } }'
      assert.equal((await answerTo(query, { o: offset })).status, 200)
      assert.equal((await answerTo(`{ up_masjids(offset: ${offset}) { id } }`)).status, 200)
    }
  })

  test('counts in the cost, as a literal and as a variable', async () => {
    const query = 'query ($o: Int = 0) { up_masjids(limit: 10, offset: $o) { id } }'
    const near = await costOf(query)
    assert.equal(await costOf(query, { o: 10_000 }), near + 100)
    assert.equal(await costOf('{ up_masjids(limit: 10, offset: 10000) { id } }'), near + 100)
    assert.equal(await costOf(query, { o: 2_000_000_000 }), near + 1000)
    const groups = '{ up_masjids_aggregate(group_by: city) { groups(limit: 10, offset: 10000) { keys { city } } } }'
    assert.equal(await costOf(groups), (await costOf(groups.replace(', offset: 10000', ''))) + 100)
  })

  test('in nested lists is refused if it costs too much', async () => {
    const query = 'query ($o: Int) { ua_members { donations(limit: 1, offset: $o) { id } } }'
    assert.equal((await answerTo(query, { o: 1000 })).status, 200)
    const { code, message } = await refusalOf(query, { o: 1_000_000 })
    assert.equal(code, 'too-costly')
    assert.match(message, /offset.*ua_members\.donations/)
  })

  test('page after page is one statement', async () => {
    const query = 'query ($o: Int) { b: up_masjids(limit: 1, offset: $o) { id } }'
    const texts = new Set<string>()
    for (const o of [1, 20, 300, 4000]) texts.add((await answerTo(query, { o })).body.extensions.sql)
    assert.equal(texts.size, 1)
  })
})

const manyWords = (count: number): string[] => Array.from({ length: count }, (_, index) => `word ${index}`)

describe('a list of values', () => {
  for (const operator of ['_in', '_nin'])
    test(`${operator} accepts 1000 values and no more, as literals or in a variable`, async () => {
      const query = `query ($v: [String!]) { up_masjids(where: {slug: {${operator}: $v}}) { id } }`
      assert.equal((await answerTo(query, { v: manyWords(1000) })).status, 200)
      const { code, message } = await refusalOf(query, { v: manyWords(1001) })
      assert.equal(code, 'too-many-values')
      assert.match(message, new RegExp(`${operator} has 1001 values; the maximum is 1000`))
      const whole = 'query ($w: up_masjids_bool_exp!) { up_masjids(where: {_or: [$w, {_not: $w}]}) { id } }'
      const within = { w: { events: { title: { [operator]: manyWords(1001) } } } }
      assert.equal((await refusalOf(whole, within)).code, 'too-many-values')
      const written = JSON.stringify(manyWords(1001))
      const literal = `{ up_masjids(where: {slug: {${operator}: ${written}}}) { id } }`
      assert.equal((await refusalOf(literal)).code, 'too-many-values')
    })

  test('of lists, and of keys, neither', async () => {
    const lists = 'query ($v: [[String]!]) { up_masjids(where: {languages: {_in: $v}}) { id } }'
    assert.equal((await refusalOf(lists, { v: manyWords(1001).map(word => [word]) })).code, 'too-many-values')
    const keys = 'query ($v: [String!]) { up_masjids(where: {adjustments: {_has_keys_any: $v}}) { id } }'
    assert.equal((await refusalOf(keys, { v: manyWords(1001) })).code, 'too-many-values')
  })
})

describe('a search', () => {
  const patterns = ['like', 'nlike', 'ilike', 'nilike', 'similar', 'nsimilar', 'regex', 'iregex', 'nregex', 'niregex']
  for (const operator of patterns)
    test(`_${operator} accepts 200 characters and no more`, async () => {
      const query = `query ($v: String) { up_masjids(where: {name: {_${operator}: $v}}) { id } }`
      assert.equal((await answerTo(query, { v: 'م'.repeat(200) })).status, 200)
      assert.equal((await answerTo(query, { v: '🕌'.repeat(200) })).status, 200, 'characters are counted, not bytes')
      const { code, message } = await refusalOf(query, { v: 'a'.repeat(201) })
      assert.equal(code, 'search-too-long')
      assert.match(message, new RegExp(`_${operator} has 201 characters; the maximum is 200`))
    })

  test('a search function accepts 200 characters and no more', async () => {
    const query = 'query ($s: String!) { up_masjids_search(args: {search: $s}) { id } }'
    assert.equal((await answerTo(query, { s: 'a'.repeat(200) })).status, 200)
    assert.equal((await refusalOf(query, { s: 'a'.repeat(201) })).code, 'search-too-long')
    const literal = `{ up_masjids_search_aggregate(args: {search: "${'a'.repeat(201)}"}) { aggregate { count } } }`
    assert.equal((await refusalOf(literal)).code, 'search-too-long')
  })

  test('is measured though the same variable is also no search', async () => {
    const query = 'query ($v: String) { up_masjids(where: {_or: [{name: {_eq: $v}}, {name: {_regex: $v}}]}) { id } }'
    assert.equal((await refusalOf(query, { v: 'a'.repeat(201) })).code, 'search-too-long')
  })

  test('a value that is not a pattern may be longer', async () => {
    const query = 'query ($v: String) { up_masjids(where: {name: {_eq: $v}}) { id } }'
    assert.equal((await answerTo(query, { v: 'a'.repeat(5000) })).status, 200)
  })
})
