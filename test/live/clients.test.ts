// Clients as they are, without changes: Apollo and urql over graphql-ws and SSE, and refine's live provider.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApolloClient, gql, InMemoryCache } from '@apollo/client'
import { GraphQLWsLink } from '@apollo/client/link/subscriptions'
import { liveProvider } from '@refinedev/hasura'
import { Client, fetchExchange, subscriptionExchange } from '@urql/core'
import { createClient, type Client as SocketClient } from 'graphql-ws'
import WebSocket from 'ws'
import { rawSql } from '../../src/db/sql.ts'
import { useApi } from '../graphql/use-api.ts'
import { within } from '../support/oauth.ts'

const api = useApi()

const PATIENCE_MS = 60_000
const run = (text: string): Promise<unknown> => api().minaret.service.database.run(rawSql(text))
const authorization = (): string => `Bearer ${api().key}`

const openSockets = (): SocketClient =>
  createClient({
    url: api().url.replace('http', 'ws'),
    webSocketImpl: WebSocket,
    connectionParams: { headers: { Authorization: authorization() } },
  })

const LIST = 'subscription Capacity { up_masjids_by_slug(slug: "masjid-1") { id capacity } }'

// biome-ignore lint/suspicious/noExplicitAny: a result has the shape of its operation
type Result = any

/** Changes the row until the client has seen it. */
const seesChange = async (results: readonly Result[], capacity: number): Promise<void> => {
  await within(PATIENCE_MS, 'the first result', async () => results.length > 0)
  await run(`update up_masjids set capacity = ${capacity} where slug = 'masjid-1'`)
  await within(PATIENCE_MS, 'the change', async () =>
    results.some(one => one?.up_masjids_by_slug?.capacity === capacity),
  )
}

test('Apollo', async () => {
  const sockets = openSockets()
  const client = new ApolloClient({ link: new GraphQLWsLink(sockets), cache: new InMemoryCache() })
  const results: Result[] = []
  const subscription = client.subscribe({ query: gql(LIST) }).subscribe(({ data }) => results.push(data))
  await seesChange(results, 101)
  subscription.unsubscribe()
  client.stop()
  await sockets.dispose()
})

test('urql, over a WebSocket', async () => {
  const sockets = openSockets()
  const client = new Client({
    url: api().url,
    preferGetMethod: false,
    exchanges: [
      subscriptionExchange({
        forwardSubscription: ({ query = '', variables }) => ({
          subscribe: sink => ({
            unsubscribe: sockets.subscribe({ query, variables: variables as Record<string, unknown> }, sink as never),
          }),
        }),
      }),
    ],
  })
  const results: Result[] = []
  const { unsubscribe } = client.subscription(LIST, {}).subscribe(({ data }) => void results.push(data))
  await seesChange(results, 102)
  unsubscribe()
  await sockets.dispose()
})

test('urql, over server-sent events', async () => {
  const client = new Client({
    url: api().url,
    preferGetMethod: false,
    fetchSubscriptions: true,
    fetchOptions: () => ({ headers: { authorization: authorization() } }),
    exchanges: [fetchExchange],
  })
  const results: Result[] = []
  const { unsubscribe } = client.subscription(LIST, {}).subscribe(({ data }) => void results.push(data))
  await seesChange(results, 103)
  unsubscribe()
  const { data } = await client.query('{ up_masjids_by_slug(slug: "masjid-2") { slug } }', {}).toPromise()
  assert.deepEqual(data?.up_masjids_by_slug?.slug, 'masjid-2')
})

test('refine’s live provider', async () => {
  const sockets = openSockets()
  // Its declarations are of an older version of the client.
  const provider = liveProvider(sockets as never)
  const told: Result[] = []
  const unsubscribe = provider.subscribe({
    channel: 'resources/up_masjids',
    types: ['*'],
    params: { resource: 'up_masjids', subscriptionType: 'useList', meta: { fields: ['id', 'capacity'] } },
    callback: (event: unknown) => void told.push(event),
  } as never)
  await within(PATIENCE_MS, 'the first result', async () => told.length > 0)
  const before = told.length
  await run('update up_masjids set capacity = 104')
  await within(PATIENCE_MS, 'the change', async () => told.length > before)
  provider.unsubscribe(unsubscribe)
  await sockets.dispose()
})
