// The service, and what it keeps in memory: whether a query is answered from there, and waiting until it is.
import assert from 'node:assert/strict'
import { rawSql } from '../../src/db/sql.ts'
import { type Api, useApi } from '../graphql/use-api.ts'
import type { Data } from '../support/graphql.ts'
import { within } from '../support/oauth.ts'

interface Facts {
  readonly hit: boolean
  readonly kept?: boolean
  readonly age_ms?: number
  readonly check?: number
}

type Headers = Record<string, string>

export interface Kept {
  readonly api: () => Api
  bodyOf(asked: Promise<Response>): Promise<Data>
  factsOf(query: string, headers?: Headers): Promise<Facts>
  isHit(query: string, headers?: Headers): Promise<boolean>
  /**
   * An answer that is kept is kept after each of the changes too. On a busy machine a check may come too late, and with it everything that
   * was kept before is forgotten: then the same change is made once more.
   */
  staysThrough(query: string, ...changes: readonly (string | (() => Promise<unknown>))[]): Promise<void>
  /** Asked until it is answered from memory: checks begin with the first connection, and an answer is kept the second time. */
  untilKept(query: string, headers?: Headers): Promise<void>
  run(statement: string): Promise<unknown>
}

export const useKept = (environment: Record<string, string> = {}): Kept => {
  const api = useApi({ ROWS_PER_MINUTE: '1000000', ...environment })
  const bodyOf: Kept['bodyOf'] = async asked => (await asked).json()
  const factsOf: Kept['factsOf'] = async (query, headers) => {
    const { extensions, errors } = await bodyOf(api().post({ query }, { ...headers, 'x-minaret-explain': '1' }))
    assert.equal(errors, undefined, JSON.stringify(errors))
    return extensions.cache
  }
  const isHit: Kept['isHit'] = async (...asked) => (await factsOf(...asked)).hit
  const untilKept: Kept['untilKept'] = (query, headers) =>
    within(60_000, `kept: ${query}`, async () => {
      await (await api().post({ query }, headers)).text()
      return isHit(query, headers)
    })
  const run: Kept['run'] = statement => api().minaret.service.database.run(rawSql(statement))
  return {
    api,
    bodyOf,
    factsOf,
    isHit,
    staysThrough: async (query, ...changes) => {
      for (const change of changes)
        await within(60_000, `still kept: ${query}`, async () => {
          await untilKept(query)
          await (typeof change === 'string' ? run(change) : change())
          return isHit(query)
        })
    },
    untilKept,
    run,
  }
}
