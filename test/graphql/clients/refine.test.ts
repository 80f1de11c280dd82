// Refine's data provider for Hasura, unmodified: everything that its pages do with a table.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import refine, { GraphQLClient } from '@refinedev/hasura'
import { ELSEWHERE, eventId, HERE, newEvent, useEventsApp } from './use-events-app.ts'

const app = useEventsApp()

const resource = 'up_events'
const meta = { fields: ['id', 'title', 'status', { masjid: ['name'] }] }

type Provider = ReturnType<typeof refine.default>

/** Its declarations say that the default export is a module; it is the function. */
const dataProvider = refine as unknown as (client: GraphQLClient) => Provider

const provider = (): Provider => {
  const { endpoint, headers } = app()
  return dataProvider(new GraphQLClient(endpoint, { headers }))
}

// biome-ignore lint/suspicious/noExplicitAny: a record has the fields that were asked for
type Data = any

const titles = (rows: readonly Data[]): string[] => rows.map(({ title }) => title)

const stored = async (id: unknown) => (await app().rows(`select * from up_events where id = '${id}'`))[0]

const create = async (title: string): Promise<Data> =>
  (await provider().create({ resource, variables: newEvent(title), meta })).data

test('lists sorted, filtered and by page, with the total', async () => {
  const { data, total } = await provider().getList({
    resource,
    meta,
    pagination: { currentPage: 2, pageSize: 2 },
    sorters: [{ field: 'title', order: 'desc' }],
    filters: [
      { field: 'masjid_id', operator: 'eq', value: HERE },
      { operator: 'or', value: [{ field: 'title', operator: 'contains', value: '5.' }] },
    ],
  })
  assert.deepEqual(titles(data), ['Event 5.3', 'Event 5.2'])
  assert.equal(total, 5)
})

test('filters by several operators for text, and by related rows', async () => {
  const found = async (operator: 'startswith' | 'endswiths' | 'ncontains' | 'nendswith', value: string) => {
    const filters = [
      { field: 'masjid.id', operator: 'eq' as const, value: HERE },
      { field: 'title', operator, value },
    ]
    return (await provider().getList({ resource, meta, filters, sorters: [{ field: 'masjid.name', order: 'asc' }] }))
      .total
  }
  assert.equal(await found('startswith', 'event 5'), 5)
  assert.equal(await found('endswiths', '5.1'), 1)
  assert.equal(await found('ncontains', '5.1'), 4)
  assert.equal(await found('nendswith', '5.2'), 4)
})

test('gets one and several', async () => {
  assert.equal((await provider().getOne({ resource, id: eventId(5, 1), meta })).data.title, 'Event 5.1')
  const { data } = await provider().getMany({ resource, ids: [eventId(5, 2), eventId(4, 1)], meta })
  assert.deepEqual(titles(data).sort(), ['Event 4.1', 'Event 5.2'])
})

test('creates an event, and several at once', async () => {
  const { id, title, status } = await create('Seerah evening')
  assert.deepEqual([title, status], ['Seerah evening', 'scheduled'])
  assert.equal((await stored(id)).masjid_id, HERE)
  const variables = [newEvent('Fiqh 1'), newEvent('Fiqh 2')]
  const { data } = await provider().createMany({ resource, variables, meta: { fields: ['title'] } })
  assert.deepEqual(titles(data), ['Fiqh 1', 'Fiqh 2'])
  for (const { id: one, title: of } of data) assert.equal((await stored(one)).title, of)
})

test('updates one and several', async () => {
  const { id } = await create('Tajweed')
  const other = await create('Tajweed')
  const { data } = await provider().update({ resource, id, variables: { title: 'Tajweed for beginners' }, meta })
  assert.deepEqual([data.id, data.title], [id, 'Tajweed for beginners'])
  const ids = [id, other.id]
  const many = await provider().updateMany({
    resource,
    ids,
    variables: { capacity: 12 },
    meta: { fields: ['capacity'] },
  })
  assert.deepEqual(
    many.data.map(({ capacity }: Data) => capacity),
    [12, 12],
  )
  assert.deepEqual([(await stored(id)).title, (await stored(id)).capacity], ['Tajweed for beginners', 12])
  assert.deepEqual([(await stored(other.id)).title, (await stored(other.id)).capacity], ['Tajweed', 12])
})

test('deletes one and several', async () => {
  const { id } = await create('Cleaning 1')
  const ids = [(await create('Cleaning 2')).id, (await create('Cleaning 3')).id]
  assert.equal((await provider().deleteOne({ resource, id, meta })).data.id, id)
  const { data } = await provider().deleteMany({ resource, ids })
  assert.deepEqual(data.map(one => String(one.id)).sort(), ids.toSorted())
  for (const one of [id, ...ids]) assert.notEqual((await stored(one)).deleted_at, null)
  const filters = [{ field: 'title', operator: 'contains' as const, value: 'Cleaning' }]
  assert.equal((await provider().getList({ resource, meta, filters })).total, 0)
})

test('shows our error for another masjid, and nothing is written', async () => {
  const variables = { ...newEvent('Trespass'), masjid_id: ELSEWHERE }
  await assert.rejects(provider().create({ resource, variables, meta }), (error: Data) => {
    assert.match(error.message, /is not yours to write/)
    assert.equal(error.response.errors[0].extensions.code, 'not-permitted')
    return true
  })
  assert.deepEqual(await app().rows(`select id from up_events where title = 'Trespass'`), [])
})
