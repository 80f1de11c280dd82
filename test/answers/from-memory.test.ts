// What is answered from memory, and that nobody can tell the difference.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, test } from 'node:test'
import { masjidId } from '../graphql/fixture.ts'
import { within } from '../support/oauth.ts'
import { createCounters } from './counters.ts'
import { useKept } from './use-kept.ts'

const { api, bodyOf, factsOf, isHit, staysThrough, untilKept, run } = useKept()

const CITIES = '{ up_masjids(order_by: {id: asc}) { id city } }'
const cityOf = async (): Promise<string> => (await bodyOf(api().post({ query: CITIES }))).data.up_masjids[0].city

test('an answer is kept, says so when asked, and changes with its tables, however they are changed', async () => {
  await untilKept(CITIES)
  await within(60_000, 'it says how old it is', async () => {
    const { hit, age_ms = -1, check = 0 } = await factsOf(CITIES)
    return hit && age_ms >= 0 && check > 0
  })
  await run(`update up_masjids set city = 'Elsewhere' where id = '${masjidId(1)}'`)
  assert.equal(await cityOf(), 'Elsewhere')
  await staysThrough(CITIES, 'update up_masjids set city = city where false')
})

test('a change of another table leaves it', async () => {
  await staysThrough(CITIES, `update up_events set title = title || '!' where masjid_id = '${masjidId(1)}'`)
})

describe('an answer about one masjid', () => {
  const queries = {
    'by its key': `{ up_masjids_by_pk(id: "${masjidId(1)}") { name events(order_by: {id: asc}) { title masjid { city } } } }`,
    'by a filter': `{ up_events(where: {masjid_id: {_eq: "${masjidId(1).toUpperCase()}"}}) { title masjid { name } } }`,
    'by a list': `{ up_events(where: {masjid_id: {_in: ["${masjidId(3)}", "${masjidId(1)}"]}}, limit: 100) { title masjid { name } } }`,
    'in totals': `{ up_events_aggregate(where: {_and: [{masjid_id: {_eq: "${masjidId(1)}"}}]}) { aggregate { count max { title } } nodes { title } } }`,
  }
  for (const [how, query] of Object.entries(queries))
    test(`${how}: stays when another changes, and changes with its own`, async () => {
      await staysThrough(
        query,
        `update up_events set title = title || '.' where masjid_id = '${masjidId(2)}'`,
        `update up_masjids set city = city || '.' where id = '${masjidId(2)}'`,
      )
      await run(`update up_events set title = 'zz of its own ${how}' where masjid_id = '${masjidId(1)}'`)
      assert.match(await (await api().post({ query })).text(), new RegExp(`of its own ${how}`))
    })

  test('a row that moves from one masjid to another changes the answers of both', async () => {
    const of = (number: number) => `{ up_events(where: {masjid_id: {_eq: "${masjidId(number)}"}}) { id } }`
    const countAt = async (number: number): Promise<number> =>
      (await bodyOf(api().post({ query: of(number) }))).data.up_events.length
    await run(`insert into up_events (id, masjid_id, title, starts_local, duration_minutes, timezone)
      values ('9f000000-0000-4000-8000-000000000001', '${masjidId(2)}', 'Moves', '2027-01-01 12:00', 60, 'UTC')`)
    await untilKept(of(2))
    await untilKept(of(3))
    const before = [await countAt(2), await countAt(3)] as const
    await run(`update up_events set masjid_id = '${masjidId(3)}' where title = 'Moves'`)
    assert.deepEqual([await countAt(2), await countAt(3)], [before[0] - 1, before[1] + 1])
  })

  for (const [what, query] of Object.entries({
    'another condition would do too': `{ up_events(where: {_or: [{masjid_id: {_eq: "${masjidId(1)}"}}, {title: {_like: "Other%"}}]}) { title } }`,
    'others decide which rows are shown': `{ up_masjids(where: {id: {_eq: "${masjidId(1)}"}, entity: {masjids: {events: {title: {_like: "Other%"}}}}}) { name } }`,
    'a related row may be of another': `{ up_masjids_by_pk(id: "${masjidId(1)}") { entity { masjids { events(order_by: {id: asc}) { title } } } } }`,
    'both are asked for': `{ a: up_events(where: {masjid_id: {_eq: "${masjidId(1)}"}}) { title } b: up_events(where: {masjid_id: {_eq: "${masjidId(2)}"}}) { title } }`,
    'the masjid is written unusually': `{ up_events(where: {masjid_id: {_eq: "{${masjidId(2)}}"}}) { title } }`,
  }))
    test(`is not one about one masjid if ${what}`, async () => {
      await untilKept(query)
      await run(`update up_events set title = 'Other ' || title where masjid_id = '${masjidId(2)}'`)
      assert.equal(await isHit(query), false)
    })
})

test('a response from memory is the response from the database, byte by byte, its headers too', async () => {
  const query = '{ up_masjids(order_by: {id: asc}, limit: 2) { id name } }'
  const get = async () => {
    const response = await api().get({ query }, { origin: 'https://page.example' })
    const { 'x-request-id': _id, date: _date, ratelimit: _left, ...headers } = Object.fromEntries(response.headers)
    return { status: response.status, headers, text: await response.text() }
  }
  const first = await get()
  await untilKept(query)
  for (let count = 0; count < 3; count += 1) assert.deepEqual(await get(), first)
})

test('with If-None-Match a kept answer is 304', async () => {
  const query = '{ up_masjids(order_by: {id: desc}, limit: 2) { id name } }'
  const first = await api().get({ query })
  await first.text()
  const tag = first.headers.get('etag') ?? assert.fail('no tag')
  for (let count = 0; count < 3; count += 1) {
    const again = await api().get({ query }, { 'if-none-match': tag })
    assert.equal(again.status, 304)
    assert.equal(await again.text(), '')
  }
  await run(`update up_masjids set name = name || ' new' where id = '${masjidId(11)}'`)
  assert.equal((await api().get({ query }, { 'if-none-match': tag })).status, 200)
})

test('rows are charged and requests counted as for a fresh answer', async () => {
  const query = '{ up_masjids(order_by: {name: asc}, limit: 3) { id } }'
  await untilKept(query)
  const left = async (): Promise<number> => {
    const response = await api().post({ query })
    await response.text()
    return Number(/r=(\d+)/.exec(response.headers.get('ratelimit') ?? '')?.[1])
  }
  const before = await left()
  assert.equal(before - (await left()), 4, 'three rows, and one for asking')
})

test('other scopes, another media type or another method is another answer', async () => {
  const query = '{ up_events(limit: 1) { id } }'
  await untilKept(query)
  const key = await api().keyWith(['masjid:read'])
  const { errors } = await bodyOf(api().post({ query }, { authorization: `Bearer ${key}` }))
  assert.equal(errors[0].extensions.code, 'insufficient-scope')
  const newer = await api().post({ query }, { accept: 'application/graphql-response+json' })
  assert.match(newer.headers.get('content-type') ?? '', /graphql-response/)
})

test('clients that write the same operation differently share its answer', async () => {
  const query = 'query Shared($limit: Int!) { up_masjids(order_by: {id: asc}, limit: $limit) { id } }'
  const bodies = [
    JSON.stringify({ query, variables: { limit: 4 } }),
    JSON.stringify({ variables: { limit: 4 }, query, operationName: 'Shared' }),
  ]
  const hits = async (body: string): Promise<boolean> =>
    (await bodyOf(api().post(body, { 'x-minaret-explain': '1' }))).extensions.cache.hit
  for (const body of bodies)
    await within(60_000, 'kept', async () => {
      await (await api().post(body)).text()
      return hits(body)
    })
  await run(`update up_masjids set city = city where id = '${masjidId(2)}'`)
  assert.equal(await hits(bodies[0] as string), false)
  await (await api().post(bodies[0] as string)).text()
  await within(60_000, 'read for one, true for both', () => hits(bodies[1] as string))
})

describe('what may change without a trace is never kept:', () => {
  const never: Record<string, string> = {
    'people, and rows that depend on the reader': '{ ua_members(limit: 1) { id } }',
    'words that PostgreSQL reads as the time': '{ up_masjids(where: {created_at: {_lt: "now"}}) { id } }',
    'functions that follow the clock': `{ pc_prayer_times_today(args: {masjid_id: "${masjidId(1)}"}, limit: 1) { date } }`,
    'a view that follows the clock': '{ up_clock_view(limit: 1) { id } }',
    'a view over a table that is not logged': '{ up_hidden_view(limit: 1) { id } }',
    'a materialised view': '{ up_kept_view(limit: 1) { id } }',
    'a function that does not say what it reads': '{ up_opaque(limit: 1) { id } }',
    introspection: '{ __schema { queryType { name } } up_masjids(limit: 1) { id } }',
  }
  const structures = [
    `create view public.up_clock_view as select id, now() as at from up_masjids`,
    `comment on view up_clock_view is E'@scope masjid:read\\n@key id\\nA view.'`,
    `create table public.hidden_rows (id integer primary key)`,
    `comment on table hidden_rows is '@hidden'`,
    `create view public.up_hidden_view as select id from hidden_rows`,
    `comment on view up_hidden_view is E'@scope masjid:read\\n@key id\\nA view.'`,
    `create materialized view public.up_kept_view as select id from up_masjids`,
    `comment on materialized view up_kept_view is E'@scope masjid:read\\n@key id\\nA view.'`,
    `create function public.up_opaque() returns setof up_masjids language sql stable as 'select * from up_masjids'`,
    `create function public.up_declared() returns setof up_masjids language sql stable as 'select * from up_masjids'`,
    `comment on function up_declared is E'@reads up_masjids\\nMasjids.'`,
  ]
  test('the structure is in force', async () => {
    for (const statement of structures) await run(statement)
    await within(60_000, 'the function is there', async () => {
      const { errors } = await bodyOf(
        api().post({ query: '{ up_declared(limit: 1) { id } up_kept_view(limit: 1) { id } }' }),
      )
      return errors === undefined
    })
    // The other answers below are compared with one that is kept.
    await untilKept('{ up_declared(limit: 1) { id } }')
  })
  for (const [what, query] of Object.entries(never))
    test(what, async () => {
      for (let count = 0; count < 3; count += 1) assert.equal((await api().post({ query })).status, 200)
      assert.equal((await factsOf(query)).hit, false)
    })
})

test('a function that declares what it reads follows its tables', async () => {
  const query = `{ up_declared(where: {id: {_eq: "${masjidId(1)}"}}) { city } }`
  await untilKept(query)
  await run(`update up_masjids set city = 'Declared' where id = '${masjidId(1)}'`)
  const { data } = await bodyOf(api().post({ query }))
  assert.equal(data.up_declared[0].city, 'Declared')
})

test('a persisted query that is asked by its hash is kept too', async () => {
  const query = '{ up_masjids(order_by: {id: asc}, limit: 1) { name } }'
  const sha256Hash = createHash('sha256').update(query).digest('hex')
  const extensions = JSON.stringify({ persistedQuery: { version: 1, sha256Hash } })
  await (await api().get({ query, extensions })).text()
  const first = await (await api().get({ extensions })).text()
  for (let count = 0; count < 3; count += 1) assert.equal(await (await api().get({ extensions })).text(), first)
  await run(`update up_masjids set name = 'Persisted' where id = '${masjidId(1)}'`)
  assert.match(await (await api().get({ extensions })).text(), /Persisted/)
})

test('a table without triggers is not answered from memory', async () => {
  await createCounters(api().minaret.service.database)
  const query = '{ up_counters(limit: 2) { value } }'
  await within(60_000, 'it is exposed', async () => (await bodyOf(api().post({ query }))).errors === undefined)
  await untilKept(query)
  await run('alter table up_counters disable trigger changes_update')
  await run('update up_counters set value = 5')
  const { data } = await bodyOf(api().post({ query }))
  assert.deepEqual(data.up_counters, [{ value: 5 }, { value: 5 }])
  await within(60_000, 'it is known', async () => (await factsOf(query)).kept === false)
})
