import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rawSql } from '../../src/db/sql.ts'
import { masjidId } from '../graphql/fixture.ts'
import { useApi } from '../graphql/use-api.ts'
import { within } from '../support/oauth.ts'
import { follow } from './events.ts'

const api = useApi()

const run = (text: string): Promise<unknown> => api().minaret.service.database.run(rawSql(text))

const followed = (query: string, variables?: Record<string, unknown>) =>
  follow({ url: api().url, key: api().key, query, ...(variables === undefined ? {} : { variables }) })

test('a list is sent whole, and again when it changes', async () => {
  const list = await followed(
    'subscription { up_masjids(where: {slug: {_eq: "masjid-1"}}) { slug capacity events(order_by: {title: asc}, limit: 1) { title } } }',
  )
  assert.equal(list.status, 200)
  assert.match(list.headers.get('content-type') ?? '', /^text\/event-stream/)
  assert.equal(list.headers.get('cache-control'), 'no-store')
  const first = { slug: 'masjid-1', capacity: null, events: [{ title: 'Event 1.1' }] }
  assert.deepEqual(await list.until(1), { data: { up_masjids: [first] } })
  await run(`update up_masjids set capacity = 71 where slug = 'masjid-1'`)
  assert.deepEqual(await list.until(2), { data: { up_masjids: [{ ...first, capacity: 71 }] } })
  await run(`update up_events set title = 'Another' where title = 'Event 1.1'`)
  const renamed = { ...first, capacity: 71, events: [{ title: 'Another' }] }
  assert.deepEqual(await list.until(3), { data: { up_masjids: [renamed] } })
  assert.deepEqual(list.events, ['next', 'next', 'next'])
  await list.close()
})

test('what stays the same is not sent again', async () => {
  const list = await followed('subscription { up_masjids_by_pk(id: "00000000-0000-4000-8000-000000000002") { name } }')
  const other = await followed('subscription { up_masjids_aggregate { aggregate { sum { capacity } } } }')
  await list.until(1)
  const { data } = await other.until(1)
  const sum = data.up_masjids_aggregate.aggregate.sum.capacity
  await run(`update up_masjids set capacity = capacity + 5 where slug = 'masjid-2'`)
  assert.equal((await other.until(2)).data.up_masjids_aggregate.aggregate.sum.capacity, sum + 5)
  await run(`update up_masjids set name = 'Renamed' where slug = 'masjid-2'`)
  assert.deepEqual(await list.until(2), { data: { up_masjids_by_pk: { name: 'Renamed' } } })
  assert.equal(list.results.length, 2)
  await Promise.all([list.close(), other.close()])
})

test('every field of queries can be followed, with variables, aliases and fragments', async () => {
  const list = await followed(
    'subscription Mine($slug: String!) { mine: up_masjids_by_slug(slug: $slug) { ...parts } } fragment parts on up_masjids { slug }',
    { slug: 'masjid-3' },
  )
  assert.deepEqual(await list.until(1), { data: { mine: { slug: 'masjid-3' } } })
  await run(`update up_masjids set deleted_at = now() where slug = 'masjid-3'`)
  assert.deepEqual(await list.until(2), { data: { mine: null } })
  await run(`update up_masjids set deleted_at = null where slug = 'masjid-3'`)
  await list.until(3)
  await list.close()
})

test('a stream sends each row once, in batches, and new ones as they come', async () => {
  const stream = await followed(
    'subscription { up_events_stream(batch_size: 2, cursor: {initial_value: {title: "Event 5."}}, where: {masjid_id: {_eq: "00000000-0000-4000-8000-000000000005"}}) { title } }',
  )
  assert.deepEqual(await stream.until(3), { data: { up_events_stream: [{ title: 'Event 5.5' }] } })
  const sent = stream.results.flatMap(({ data }) => data.up_events_stream.map(({ title }: { title: string }) => title))
  assert.deepEqual(
    sent,
    [1, 2, 3, 4, 5].map(number => `Event 5.${number}`),
  )
  await run(`insert into up_events (masjid_id, title, starts_local, duration_minutes, timezone)
    select '${masjidId(5)}', 'Event 5.7', '2026-05-01 10:00', 30, 'America/New_York' from generate_series(1, 3)`)
  await stream.until(5)
  assert.deepEqual(
    stream.results.slice(3).map(({ data }) => data.up_events_stream.length),
    [2, 1],
  )
  await stream.close()
})

test('a stream goes on after a cursor, without a gap among equal values', async () => {
  const query = (after = '') =>
    `subscription { up_events_stream(batch_size: 1, cursor: {initial_value: {duration_minutes: 0}}, where: {masjid_id: {_eq: "00000000-0000-4000-8000-000000000005"}}${after}) { id _cursor } }`
  const whole = await followed(query())
  await whole.until(3)
  const rows = whole.results.map(({ data }) => data.up_events_stream[0])
  await whole.close()
  const rest = await followed(query(`, after: ${JSON.stringify(rows[0]._cursor)}`))
  await rest.until(2)
  assert.deepEqual(
    rest.results.slice(0, 2).map(({ data }) => data.up_events_stream[0].id),
    rows.slice(1, 3).map(({ id }) => id),
  )
  await rest.close()
})

test('descending streams, and what a cursor may be', async () => {
  const stream = await followed(
    'subscription ($from: [up_masjids_stream_cursor_input]!, $size: Int!) { up_masjids_stream(batch_size: $size, cursor: $from) { slug } }',
    { from: [{ initial_value: { slug: 'masjid-3' }, ordering: 'DESC' }], size: 3 },
  )
  const { data } = await stream.until(1)
  assert.deepEqual(
    data.up_masjids_stream.map(({ slug }: { slug: string }) => slug),
    ['masjid-2', 'masjid-11', 'masjid-10'],
  )
  await stream.close()
  for (const [given, words] of [
    ['batch_size: 0, cursor: {initial_value: {id: "00000000-0000-4000-8000-000000000001"}}', /1 to 100/],
    ['batch_size: 101, cursor: {initial_value: {slug: ""}}', /1 to 100/],
    ['batch_size: 1, cursor: {initial_value: {}}', /exactly one column/],
    ['batch_size: 1, cursor: {initial_value: {slug: null}}', /exactly one column/],
    ['batch_size: 1, cursor: {initial_value: {slug: "a", name: "b"}}', /exactly one column/],
    ['batch_size: 1, cursor: [{initial_value: {slug: "a"}}, {initial_value: {name: "b"}}]', /exactly one column/],
  ] as const) {
    const refused = await followed(`subscription { up_masjids_stream(${given}) { slug } }`)
    assert.match((await refused.until(1)).errors[0].message, words, given)
    await refused.ended
    assert.deepEqual(refused.events, ['next', 'complete'])
  }
})

test('errors of the document arrive as an event, and end the stream', async () => {
  for (const [query, code] of [
    ['subscription { up_masjids { id } up_events { id } }', 'validation-failed'],
    ['subscription { nothing }', 'validation-failed'],
    ['subscription {', 'parse-failed'],
    ['subscription { up_masjids(limit: 101) { id } }', 'page-out-of-range'],
  ] as const) {
    const refused = await followed(query)
    assert.equal(refused.status, 200)
    assert.equal((await refused.until(1)).errors[0].extensions.code, code, query)
    await refused.ended
    assert.deepEqual(refused.events, ['next', 'complete'])
  }
})

test('queries and mutations are answered with one event where events are accepted', async () => {
  const answered = await followed('{ up_masjids(limit: 2, order_by: {slug: asc}) { slug } }')
  await answered.ended
  assert.deepEqual(answered.results, [{ data: { up_masjids: [{ slug: 'masjid-1' }, { slug: 'masjid-10' }] } }])
  assert.deepEqual(answered.events, ['next', 'complete'])
})

test('a subscription that is sent like a query is told where to go', async () => {
  const response = await api().post({ query: 'subscription { up_masjids { id } }' })
  const { errors } = (await response.json()) as { errors: { message: string; extensions: { code: string } }[] }
  assert.equal(errors[0]?.extensions.code, 'subscription-elsewhere')
  assert.match(errors[0]?.message ?? '', /text\/event-stream.*graphql-transport-ws/)
})

test('the schema knows subscriptions and streams', async () => {
  const response = await api().post({
    query: '{ __schema { subscriptionType { name fields { name args { name } } } } }',
  })
  const { data } = (await response.json()) as {
    data: Record<string, { subscriptionType: { name: string; fields: { name: string; args: { name: string }[] }[] } }>
  }
  const { name, fields } = data.__schema?.subscriptionType ?? { name: '', fields: [] }
  assert.equal(name, 'subscription_root')
  const byName = new Map(fields.map(field => [field.name, field.args.map(argument => argument.name)]))
  assert.ok(byName.has('up_masjids_nearby'))
  assert.ok(byName.has('up_masjids_aggregate'))
  assert.deepEqual(byName.get('up_masjids_stream'), ['batch_size', 'cursor', 'where', 'after'])
})

test('a table whose changes are not logged cannot be followed, and is told so', async () => {
  await run('create table public.up_quiet (id int primary key)')
  const isKnown = async () => {
    const known = await api().post({ query: '{ up_quiet { id } }' })
    return !(await known.text()).includes('errors')
  }
  await within(60_000, 'the new table is in the schema', isKnown)
  await run('alter table public.up_quiet disable trigger changes_insert')
  await within(60_000, 'the refusal', async () => {
    const refused = await followed('subscription { up_quiet { id } }')
    await refused.until(1)
    await refused.close()
    return refused.results[0].errors?.[0].extensions.code === 'not-live'
  })
  await run('drop table public.up_quiet')
})

test('a subscription follows a change of structure, and ends when its table is gone', async () => {
  await run('create table public.up_moving (id int primary key, kept int); insert into public.up_moving values (1, 2)')
  let list = await followed('subscription { up_moving { id kept } }')
  await within(60_000, 'the new table is in the schema', async () => {
    await list.until(1)
    if (list.results[0].data !== undefined) return true
    await list.close()
    list = await followed('subscription { up_moving { id kept } }')
    return false
  })
  await run('alter table public.up_moving add more int')
  await run('update public.up_moving set kept = 3')
  await list.untilSo('the changed row', ({ data }) => data?.up_moving[0].kept === 3)
  await run('drop table public.up_moving')
  await list.untilSo('the end', ({ errors }) => errors?.[0].extensions.code === 'validation-failed')
  await list.ended
})
