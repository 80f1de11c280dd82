import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { rawSql } from '../../src/db/sql.ts'
import { masjidId } from './fixture.ts'
import { useEngine } from './use-engine.ts'

const graphql = useEngine()
const names = (rows: { slug: string }[]): string[] => rows.map(({ slug }) => slug)

describe('lists', () => {
  test('return rows with their fields in query order', async () => {
    const text = await graphql().text('{ up_masjids(order_by: {slug: asc}, limit: 1) { slug id latitude __typename } }')
    assert.equal(
      text.replaceAll(/\s/g, ''),
      `{"up_masjids":[{"slug":"masjid-1","id":"${masjidId(1)}","latitude":35.1,"__typename":"up_masjids"}]}`,
    )
  })

  test('leave out deleted rows everywhere', async () => {
    const { up_masjids, up_entities } = await graphql().ask(
      '{ up_masjids { slug } up_entities { masjids { slug } masjids_aggregate { aggregate { count } } } }',
    )
    assert.equal(up_masjids.length, 11)
    assert.ok(!names(up_masjids).includes('masjid-12'))
    for (const { masjids, masjids_aggregate } of up_entities) {
      assert.ok(!names(masjids).includes('masjid-12'))
      assert.equal(masjids_aggregate.aggregate.count, masjids.length)
    }
    assert.equal((await graphql().ask('{ up_masjids_by_slug(slug: "masjid-12") { id } }')).up_masjids_by_slug, null)
  })

  test('follow relationships both ways, with their own arguments', async () => {
    const { up_masjids_by_pk: masjid } = await graphql().ask(
      `query ($id: uuid!) { up_masjids_by_pk(id: $id) {
        slug entity { legal_name } events(order_by: {starts_local: desc}, limit: 2) { title masjid { slug } }
        all: events_aggregate { aggregate { count max { duration_minutes } } nodes { title } } } }`,
      { variables: { id: masjidId(5) } },
    )
    assert.equal(masjid.entity.legal_name, 'Entity 1')
    assert.deepEqual(masjid.events, [
      { title: 'Event 5.5', masjid: { slug: 'masjid-5' } },
      { title: 'Event 5.4', masjid: { slug: 'masjid-5' } },
    ])
    assert.equal(masjid.all.aggregate.count, 5)
    assert.equal(masjid.all.aggregate.max.duration_minutes, 150)
    assert.equal(masjid.all.nodes.length, 5)
  })

  test('a missing row by key, and a missing related row, are null', async () => {
    const data = await graphql().ask(
      `{ gone: up_masjids_by_pk(id: "${masjidId(99)}") { id } up_masjids_by_slug(slug: "masjid-4") { entity { id } } }`,
    )
    assert.deepEqual(data, { gone: null, up_masjids_by_slug: { entity: null } })
    const alone = await graphql().ask(`{ gone: up_masjids_by_slug(slug: "no-such") { id events { id } } }`)
    assert.deepEqual(alone, { gone: null })
  })

  test('fragments, aliases, directives and several operations', async () => {
    const query = `
      query One($withCity: Boolean!) { ...roots }
      query Two { b: up_masjids_by_slug(slug: "masjid-2") { slug } }
      fragment roots on query_root { a: up_masjids_by_slug(slug: "masjid-1") { ...fields ... @include(if: $withCity) { city } } }
      fragment fields on up_masjids { slug name @skip(if: true) }`
    const one = await graphql().ask(query.replace(/query Two.*\n/, ''), { variables: { withCity: true } })
    assert.deepEqual(one, { a: { slug: 'masjid-1', city: 'Durham' } })
    const without = await graphql().ask(query, { operationName: 'One', variables: { withCity: false } })
    assert.deepEqual(without, { a: { slug: 'masjid-1' } })
    assert.deepEqual(await graphql().ask(query, { operationName: 'Two' }), { b: { slug: 'masjid-2' } })
    assert.equal((await graphql().refused(query))[0]?.extensions.code, 'unknown-operation')
    assert.equal((await graphql().refused(query, { operationName: 'Three' }))[0]?.extensions.code, 'unknown-operation')
  })

  test('values have the JSON format of their type', async () => {
    const { up_masjids_by_slug: masjid } = await graphql().ask(
      `{ up_masjids_by_slug(slug: "masjid-6") { languages facilities adjustments fajr: adjustments(path: "$.fajr")
         verified_at verification capacity name_ar } }`,
    )
    assert.deepEqual(masjid, {
      languages: ['ur', 'en', 'ar'],
      facilities: [],
      adjustments: { fajr: 2 },
      fajr: 2,
      verified_at: '2026-01-07T12:00:00+00:00',
      verification: 'verified',
      capacity: 300,
      name_ar: 'مسجد',
    })
  })
})

describe('pages', () => {
  test('limit over 100 or below 0 is refused and names the maximum, also in variables and nested lists', async () => {
    for (const [query, variables] of [
      ['{ up_masjids(limit: 101) { id } }', {}],
      ['{ up_masjids(limit: -1) { id } }', {}],
      ['query ($n: Int) { up_masjids(limit: $n) { id } }', { n: 101 }],
      ['{ up_masjids { events(limit: 101) { id } } }', {}],
      ['{ up_masjids_aggregate { nodes { events(limit: -5) { id } } } }', {}],
    ] as const) {
      const [error] = await graphql().refused(query, { variables })
      assert.equal(error?.extensions.code, 'page-out-of-range', query)
      assert.match(error?.message ?? '', /100/)
    }
  })

  test('offset and limit in variables, including absent and null ones', async () => {
    const query = 'query ($n: Int, $o: Int) { up_masjids(order_by: {slug: asc}, limit: $n, offset: $o) { slug } }'
    const all = names((await graphql().ask(query)).up_masjids)
    assert.equal(all.length, 11)
    assert.deepEqual(names((await graphql().ask(query, { variables: { n: 3, o: 2 } })).up_masjids), all.slice(2, 5))
    assert.deepEqual(names((await graphql().ask(query, { variables: { n: null, o: null } })).up_masjids), all)
    assert.deepEqual((await graphql().ask(query, { variables: { n: 0 } })).up_masjids, [])
    assert.equal((await graphql().refused(query, { variables: { o: -1 } }))[0]?.extensions.code, 'page-out-of-range')
  })

  test('paging by cursor neither skips nor repeats a row, in any order', async () => {
    for (const order of [
      '{name: asc}',
      '{city: desc}',
      '[{state: desc_nulls_last}, {city: asc}]',
      '{capacity: asc_nulls_first}',
      '{entity: {legal_name: desc}}',
      '{events_aggregate: {count: desc}}',
      '{latitude: desc}',
      '{}',
    ]) {
      const all = names((await graphql().ask(`{ up_masjids(order_by: ${order}) { slug _cursor } }`)).up_masjids)
      const walked: string[] = []
      let after: string | null = null
      do {
        const query = `query ($after: String) { up_masjids(order_by: ${order}, limit: 2, after: $after) { slug _cursor } }`
        const { up_masjids: page }: { up_masjids: { slug: string; _cursor: string }[] } = await graphql().ask(query, {
          variables: { after },
        })
        walked.push(...names(page))
        after = page.at(-1)?._cursor ?? null
      } while (after !== null)
      assert.deepEqual(walked, all, order)
    }
  })

  test('a cursor of another order, or a string that is no cursor, is refused', async () => {
    const { up_masjids } = await graphql().ask('{ up_masjids(order_by: {name: asc}, limit: 1) { _cursor } }')
    for (const after of [up_masjids[0]._cursor, 'nonsense', '', 'W10']) {
      const query = 'query ($after: String!) { up_masjids(order_by: {city: asc}, after: $after) { id } }'
      assert.equal((await graphql().refused(query, { variables: { after } }))[0]?.extensions.code, 'bad-cursor', after)
    }
  })

  test('a cursor of another table is refused, even if the order has the same name', async () => {
    const { up_events } = await graphql().ask('{ up_events(order_by: {id: asc}, limit: 1) { _cursor } }')
    const query = 'query ($after: String!) { up_masjids(order_by: {id: asc}, after: $after) { id } }'
    const [error] = await graphql().refused(query, { variables: { after: up_events[0]._cursor } })
    assert.equal(error?.extensions.code, 'bad-cursor')
  })

  test('a cursor works for the same list anywhere in a query, and after a comment changes', async () => {
    const query = `query ($after: String) { up_events(order_by: {title: asc}, limit: 2, after: $after) { title _cursor } }`
    const cursor = (await graphql().ask(query)).up_events[0]._cursor
    const next = await graphql().ask(query, { variables: { after: cursor } })
    await graphql().database.run(rawSql(`comment on column public.up_events.title is 'Something else.'`))
    await graphql().engine.structures.reload()
    assert.deepEqual(await graphql().ask(query, { variables: { after: cursor } }), next)
    const nested = `query ($after: String) { up_masjids(limit: 1) { events(order_by: {title: asc}, after: $after) { id } } }`
    assert.ok(await graphql().ask(nested, { variables: { after: cursor } }))
  })
})
