// Automatic persisted queries, as in Apollo's clients: a hash stands for a query that was sent with it once.
// https://www.apollographql.com/docs/apollo-server/performance/apq
import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { fault } from './errors.ts'
import type { GraphqlRequest, RawRequest } from './request.ts'

export interface PersistedQueries {
  /** @throws {Fault} if the hash is unknown, or does not match the query. */
  resolve(request: RawRequest): GraphqlRequest
}

const MAX_BYTES = 4 * 1024 * 1024

export const createPersistedQueries = (): PersistedQueries => {
  const queries = new LRUCache<string, string>({ maxSize: MAX_BYTES, sizeCalculation: text => text.length + 200 })
  return {
    resolve: ({ query, persistedHash, operationName, variables }) => {
      if (persistedHash === undefined) return { query: query ?? '', operationName, variables }
      const known = queries.get(persistedHash)
      if (query === undefined) {
        if (known === undefined) throw fault('PERSISTED_QUERY_NOT_FOUND', 'PersistedQueryNotFound')
        return { query: known, operationName, variables }
      }
      if (known !== query) {
        const hash = createHash('sha256').update(query).digest('hex')
        if (hash !== persistedHash) throw fault('persisted-query-mismatch', 'provided sha does not match query')
        queries.set(hash, query)
      }
      return { query, operationName, variables }
    },
  }
}
