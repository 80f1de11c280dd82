// A service with the fixture, asked at /v1/relay; and at /v1/graphql, to compare with.
import assert from 'node:assert/strict'
import type { AnswerError, Data } from '../../support/graphql.ts'
import { type Api, useApi } from '../use-api.ts'

interface Question {
  readonly query: string
  readonly variables?: Record<string, unknown>
}

interface Answer {
  readonly data?: Data
  readonly errors?: readonly AnswerError[]
}

export interface Relay {
  readonly api: Api
  send(path: string, question: Question, key?: string): Promise<Answer>
  /** The data; fails when there are errors. */
  ask(query: string, variables?: Record<string, unknown>, key?: string): Promise<Data>
  /** The errors; fails when there is data. */
  refused(query: string, variables?: Record<string, unknown>, key?: string): Promise<readonly AnswerError[]>
  /** The same at /v1/graphql. */
  plain(query: string, variables?: Record<string, unknown>): Promise<Data>
}

/** As PostgreSQL writes it, with a space between the items of a JSON array. */
export const idOf = (...parts: readonly unknown[]): string =>
  Buffer.from(`[${parts.map(part => JSON.stringify(part)).join(', ')}]`).toString('base64url')

const relayOf = (api: Api): Relay => {
  const send: Relay['send'] = async (path, question, key = api.key) => {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${key}` }
    const body = JSON.stringify(question)
    const response = await fetch(api.minaret.baseUrl + path, { method: 'POST', body, headers })
    return (await response.json()) as Answer
  }
  const dataOf = ({ data, errors }: Answer): Data => {
    assert.equal(errors, undefined, JSON.stringify(errors))
    return data
  }
  return {
    api,
    send,
    ask: async (query, variables = {}, key) => dataOf(await send('/v1/relay', { query, variables }, key)),
    refused: async (query, variables = {}, key) => {
      const { data, errors } = await send('/v1/relay', { query, variables }, key)
      assert.ok(errors !== undefined, JSON.stringify(data))
      return errors
    },
    plain: async (query, variables = {}) => dataOf(await send('/v1/graphql', { query, variables })),
  }
}

export const useRelay = (): (() => Relay) => {
  const api = useApi()
  return () => relayOf(api())
}
