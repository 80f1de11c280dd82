// react-admin's data provider for Hasura, unmodified: everything that its pages do with a table.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import hasura from 'ra-data-hasura'
import { ELSEWHERE, eventId, HERE, newEvent, useEventsApp } from './use-events-app.ts'

const app = useEventsApp()

/** What react-admin shows and logs. */
interface HttpError extends Error {
  readonly body: { readonly graphQLErrors: readonly { readonly extensions: { readonly code: string } }[] }
}

type Provider = Awaited<ReturnType<typeof hasura.default>>

let provider: Provider | undefined
const connect = async (): Promise<Provider> => {
  const { endpoint: uri, headers } = app()
  provider ??= await hasura.default({ clientOptions: { uri, headers } })
  return provider
}

const titles = (rows: readonly { title: string }[]): string[] => rows.map(({ title }) => title)

const stored = async (id: string) => (await app().rows(`select * from up_events where id = '${id}'`))[0]

const create = async (title: string) => (await (await connect()).create('up_events', { data: newEvent(title) })).data

test('lists sorted, filtered and by page, with the total', async () => {
  const { data, total } = await (await connect()).getList('up_events', {
    pagination: { page: 2, perPage: 2 },
    sort: { field: 'title', order: 'DESC' },
    filter: { masjid_id: HERE, title: 'event 5.' },
  })
  assert.deepEqual(titles(data), ['Event 5.3', 'Event 5.2'])
  assert.equal(total, 5)
})

test('filters by operators, alternatives and related rows, and sorts by several columns', async () => {
  const { data } = await (await connect()).getList('up_events', {
    pagination: { page: 1, perPage: 10 },
    sort: { field: 'mode,title', order: 'desc,asc' as 'DESC' },
    filter: { 'masjid#name@_ilike': ' 5', 'capacity@_gte': 25, 'title@_like,location@_like': 'Event' },
  })
  assert.deepEqual(titles(data), ['Event 5.2', 'Event 5.4', 'Event 5.5'])
})

test('gets one, several, and those that refer to a row', async () => {
  const { data: one } = await (await connect()).getOne('up_events', { id: eventId(5, 1) })
  assert.equal(one.title, 'Event 5.1')
  const { data: many } = await (await connect()).getMany('up_events', { ids: [eventId(5, 2), eventId(4, 1)] })
  assert.deepEqual(titles(many).sort(), ['Event 4.1', 'Event 5.2'])
  const { data: referring, total } = await (await connect()).getManyReference('up_events', {
    target: 'masjid_id',
    id: ELSEWHERE,
    pagination: { page: 1, perPage: 3 },
    sort: { field: 'starts_local', order: 'ASC' },
    filter: {},
  })
  assert.deepEqual(titles(referring), ['Event 4.1', 'Event 4.2', 'Event 4.3'])
  assert.equal(total, 4)
})

test('creates an event, and has it with the defaults of the database', async () => {
  const { id, title, status, audience } = await create('Seerah evening')
  assert.deepEqual([title, status, audience], ['Seerah evening', 'scheduled', 'everyone'])
  const row = await stored(id)
  assert.deepEqual([row.masjid_id, row.title, row.duration_minutes], [HERE, 'Seerah evening', 90])
})

test('updates what was edited of a whole record, and leaves out what nobody sends', async () => {
  const previousData = await create('Tajweed')
  const data = { ...previousData, title: 'Tajweed for beginners', capacity: 12, going_count: 99 }
  const { data: updated } = await (await connect()).update('up_events', { id: data.id, data, previousData })
  assert.deepEqual([updated.title, updated.capacity, updated.going_count], ['Tajweed for beginners', 12, 0])
  const row = await stored(data.id)
  assert.deepEqual([row.title, row.capacity, row.going_count], ['Tajweed for beginners', 12, 0])
})

test('updates several at once', async () => {
  const ids = [(await create('Iftar 1')).id, (await create('Iftar 2')).id]
  const { data } = await (await connect()).updateMany('up_events', { ids, data: { status: 'cancelled' } })
  assert.deepEqual(data?.toSorted(), ids.toSorted())
  for (const id of ids) assert.equal((await stored(id)).status, 'cancelled')
})

test('deletes one and several, and no longer lists them', async () => {
  const previousData = await create('Cleaning 1')
  const ids = [(await create('Cleaning 2')).id, (await create('Cleaning 3')).id]
  const { data: gone } = await (await connect()).delete('up_events', { id: previousData.id, previousData })
  assert.equal(gone.title, 'Cleaning 1')
  const { data } = await (await connect()).deleteMany('up_events', { ids })
  assert.deepEqual(data?.toSorted(), ids.toSorted())
  for (const id of [previousData.id, ...ids]) assert.notEqual((await stored(id)).deleted_at, null)
  const { total } = await (await connect()).getList('up_events', {
    pagination: { page: 1, perPage: 10 },
    sort: { field: 'title', order: 'ASC' },
    filter: { title: 'Cleaning' },
  })
  assert.equal(total, 0)
})

test('shows our error for another masjid, and nothing is written', async () => {
  const elsewhere = { ...newEvent('Trespass'), masjid_id: ELSEWHERE }
  await assert.rejects((await connect()).create('up_events', { data: elsewhere }), (error: HttpError) => {
    assert.match(error.message, /is not yours to write/)
    assert.equal(error.body.graphQLErrors[0]?.extensions.code, 'not-permitted')
    return true
  })
  assert.deepEqual(await app().rows(`select id from up_events where title = 'Trespass'`), [])
})
