// Apollo Client without React: an upsert that its cache follows, a dry run and a refusal.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { ApolloClient, CombinedGraphQLErrors, gql, HttpLink, InMemoryCache } from '@apollo/client'
import { tryUpsert, upsertEvent } from './mutation-documents.ts'
import { ELSEWHERE, HERE, newEvent, useEventsApp } from './use-events-app.ts'

const app = useEventsApp()

const connect = (): ApolloClient => {
  const { endpoint: uri, headers } = app()
  return new ApolloClient({ link: new HttpLink({ uri, headers }), cache: new InMemoryCache() })
}

// biome-ignore lint/suspicious/noExplicitAny: a response has the shape of its document
type Data = any

const send = (client: ApolloClient, document: string, event: object) =>
  client.mutate<Data>({ mutation: gql(document), variables: { event } })

const stored = (id: string) => app().rows(`select title from up_events where id = '${id}'`)

const titleOf = gql`query Title($id: uuid!) { up_events_by_pk(id: $id) { id title } }`

test('upserts an event, and a query of it in the cache follows', async () => {
  const client = connect()
  const id = randomUUID()
  await send(client, upsertEvent, { ...newEvent('Seerah evening'), id })
  assert.deepEqual(await stored(id), [{ title: 'Seerah evening' }])
  await client.query({ query: titleOf, variables: { id } })
  const { data } = await send(client, upsertEvent, { ...newEvent('Seerah night'), id })
  assert.deepEqual(await stored(id), [{ title: 'Seerah night' }])
  assert.deepEqual(data.insert_up_events_one, {
    __typename: 'up_events',
    id,
    title: 'Seerah night',
    masjid: { __typename: 'up_masjids', id: HERE },
  })
  const { data: cached } = await client.query<Data>({ query: titleOf, variables: { id }, fetchPolicy: 'cache-only' })
  assert.equal(cached.up_events_by_pk.title, 'Seerah night')
})

test('a dry run answers what would be written, and writes nothing', async () => {
  const id = randomUUID()
  const { data, extensions } = await send(connect(), tryUpsert, { ...newEvent('Rehearsal'), id })
  assert.equal(data.insert_up_events_one.title, 'Rehearsal')
  assert.equal(extensions?.dry_run, true)
  assert.deepEqual(await stored(id), [])
})

test('shows our error for another masjid', async () => {
  const id = randomUUID()
  const event = { ...newEvent('Trespass'), id, masjid_id: ELSEWHERE }
  await assert.rejects(send(connect(), upsertEvent, event), (error: Error) => {
    assert.ok(CombinedGraphQLErrors.is(error), String(error))
    assert.match(error.message, /is not yours to write/)
    assert.equal(error.errors[0]?.extensions?.code, 'not-permitted')
    return true
  })
  assert.deepEqual(await stored(id), [])
})
