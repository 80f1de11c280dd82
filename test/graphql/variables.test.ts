// What a variable stands for: in its own operation only, and never for any row when it is null.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Question } from '../support/graphql.ts'

import { useRefusals } from './use-refusals.ts'

const refusals = useRefusals()

// biome-ignore lint/suspicious/noExplicitAny: an answer has the shape of its query
const ask = (question: Question): Promise<any> => refusals().answered(question)

describe('a variable has one meaning in each operation', () => {
  const query = `
    query A($x: Int) { up_masjids(limit: $x) { id } }
    query F($x: Int) { ...page }
    query G($x: up_masjids_bool_exp) { up_masjids(where: $x) { slug } }
    query H($x: String!) { up_masjids_by_slug(slug: $x) { slug } }
    query B($x: String) { up_masjids(where: {slug: {_eq: $x}}) { slug } }
    query E($x: Boolean!) { up_masjids(limit: 1) { id name @include(if: $x) } }
    fragment page on query_root { ...inner }
    fragment inner on query_root { up_masjids(limit: $x) { id } }`
  const named = async (operationName: string, x: unknown) => ask({ query, operationName, variables: { x } })

  test('a page size in one is a filter, a key, a value or a condition in the others', async () => {
    // again, since answers to what was asked before are found in another way
    for (const _ of [1, 2, 3]) {
      assert.equal((await named('A', 3)).up_masjids.length, 3)
      assert.deepEqual(await named('G', { slug: { _eq: 'masjid-3' } }), { up_masjids: [{ slug: 'masjid-3' }] })
      assert.deepEqual(await named('H', 'nobody'), { up_masjids_by_slug: null })
      assert.deepEqual(await named('H', 'masjid-5'), { up_masjids_by_slug: { slug: 'masjid-5' } })
      assert.deepEqual(await named('B', 'masjid-4'), { up_masjids: [{ slug: 'masjid-4' }] })
      assert.deepEqual(Object.keys((await named('E', true)).up_masjids[0]), ['id', 'name'])
      assert.deepEqual(Object.keys((await named('E', false)).up_masjids[0]), ['id'])
    }
  })

  test('a page size within fragments decides the page', async () => {
    for (const size of [1, 4, 0]) assert.equal((await named('F', size)).up_masjids.length, size)
    await refusals().refused(
      { query, operationName: 'F', variables: { x: 101 } },
      { code: 'page-out-of-range', says: /limit is 101/ },
    )
  })
})
