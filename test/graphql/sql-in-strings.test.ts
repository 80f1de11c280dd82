import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { useApi } from './use-api.ts'

const api = useApi()
const strict = { accept: 'application/graphql-response+json' }

describe('SQL wherever a string is accepted', () => {
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
    test(`has no effect in ${place}`, async () => {
      const declared = query.includes('$e') ? { e: evil } : {}
      const response = await api().post({ query, variables: { ...declared, ...variables } }, strict)
      const { status } = response
      const body = await response.text()
      assert.ok(status === 200 || status === 400, body)
      assert.doesNotMatch(body, /syntax error|"unexpected"/)
      const left = await api().post({ query: '{ up_masjids_aggregate { aggregate { count } } }' })
      assert.match(await left.text(), /"count":11\b/)
    })
})
