// The whole service with a library, the app of one masjid, one of another, and one that was given all masjids as its own.
import { after } from 'node:test'
import { dataScopes, type Scope } from '../../../src/access/scopes.ts'
import type { Database } from '../../../src/db/database.ts'
import { rawSql } from '../../../src/db/sql.ts'
import { makeApp, makeKey } from '../../support/apps.ts'
import { type Answer, openClient } from '../../support/graphql.ts'
import { type TestMinaret, useMinaret } from '../../support/minaret.ts'
import { masjidId } from '../fixture.ts'
import { libraryTemplate } from './library.ts'

export const HERE = masjidId(1)
export const ELSEWHERE = masjidId(2)

interface SendOptions {
  readonly variables?: Record<string, unknown>
  readonly headers?: Record<string, string>
  /** By default that of the app of the masjid `HERE`. */
  readonly key?: string
}

// biome-ignore lint/suspicious/noExplicitAny: a response has the shape of its query
type Data = any

export interface TestWriting {
  readonly minaret: TestMinaret
  readonly database: Database
  readonly appId: string
  readonly key: string
  readonly otherKey: string
  readonly allKey: string
  keyWith(scopes: readonly Scope[]): Promise<string>
  send(query: string | object, options?: SendOptions): Promise<Answer>
  /** @throws if the response has errors. */
  data(query: string, options?: SendOptions): Promise<Data>
  /** The only error. @throws if there is none. */
  error(query: string, options?: SendOptions): Promise<NonNullable<Answer['body']['errors']>[number]>
  rows(sql: string): Promise<Data[]>
}

const open = async (minaret: TestMinaret): Promise<TestWriting & { close(): void }> => {
  const { database } = minaret.service
  const appOf = (own: '*' | readonly string[]) => makeApp(database, { scopes: dataScopes, masjids: { only: '*', own } })
  const [app, other, all] = await Promise.all([appOf([HERE]), appOf([ELSEWHERE]), appOf('*')])
  const keyOf = async (appId: string, scopes = dataScopes) => (await makeKey(database, { appId, scopes })).key
  const [key, otherKey, allKey] = await Promise.all([keyOf(app.id), keyOf(other.id), keyOf(all.id)])
  const client = openClient(minaret, undefined, { retryStale: true })
  const send: TestWriting['send'] = (query, { variables = {}, headers = {}, key: own = key } = {}) => {
    const question = typeof query === 'string' ? { query, variables } : (query as { query: string })
    return client.query(question, { authorization: `Bearer ${own}`, ...headers })
  }
  return {
    minaret,
    database,
    appId: app.id,
    key,
    otherKey,
    allKey,
    keyWith: scopes => keyOf(app.id, scopes),
    send,
    data: async (query, options) => {
      const { body } = await send(query, options)
      if (body.errors !== undefined) throw new Error(`${JSON.stringify(body.errors)} for ${query}`)
      return body.data
    },
    error: async (query, options) => {
      const { body, text } = await send(query, options)
      const [only, ...more] = body.errors ?? []
      if (only === undefined || more.length > 0) throw new Error(`not one error, but ${text} for ${query}`)
      return only
    },
    rows: sql => database.query(rawSql(sql)),
    close: client.close,
  }
}

export const useWriting = (
  environment: Record<string, string> = {},
  prepare: (writing: TestWriting) => Promise<void> = async () => undefined,
): (() => TestWriting) => {
  let writing: Awaited<ReturnType<typeof open>> | undefined
  after(() => writing?.close())
  useMinaret(
    environment,
    async minaret => {
      writing = await open(minaret)
      await prepare(writing)
    },
    { template: libraryTemplate },
  )
  return () => {
    if (writing === undefined) throw new Error('The service is not running yet.')
    return writing
  }
}
