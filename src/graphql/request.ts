// The parameters of a GraphQL-over-HTTP request, raw and checked.
// https://graphql.github.io/graphql-over-http/draft/#sec-Request-Parameters
import { Fault } from '../base/fault.ts'

export interface GraphqlRequest {
  readonly query: string
  readonly operationName: string | undefined
  readonly variables: Readonly<Record<string, unknown>>
}

/** A request that may name a persisted query instead of containing one. */
export interface RawRequest {
  readonly query: string | undefined
  readonly operationName: string | undefined
  readonly variables: Readonly<Record<string, unknown>>
  readonly persistedHash: string | undefined
}

const bad = (message: string): Fault => new Fault({ code: 'bad_request', status: 400, message })

const isMap = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const optional = <T>(value: unknown, fits: (value: unknown) => value is T, complaint: string): T | undefined => {
  if (value === undefined || value === null) return undefined
  if (!fits(value)) throw bad(complaint)
  return value
}

const isText = (value: unknown): value is string => typeof value === 'string'

const persistedHashOf = (extensions: Record<string, unknown> | undefined): string | undefined => {
  const persisted = extensions?.persistedQuery
  if (!isMap(persisted)) return undefined
  if (persisted.version !== 1) throw bad('"extensions.persistedQuery.version" must be 1.')
  return isText(persisted.sha256Hash) ? persisted.sha256Hash : undefined
}

/** @throws {Fault} `bad_request` for parameters of the wrong type. */
export const readRequest = (body: unknown): RawRequest => {
  if (!isMap(body)) throw bad('The body must be a JSON object with a "query", or a list of such.')
  const query = optional(body.query, isText, '"query" must be a string.')
  const persistedHash = persistedHashOf(optional(body.extensions, isMap, '"extensions" must be an object.'))
  if (query === undefined && persistedHash === undefined) throw bad('The request has no "query".')
  return {
    query,
    persistedHash,
    operationName: optional(body.operationName, isText, '"operationName" must be a string.'),
    variables: optional(body.variables, isMap, '"variables" must be an object.') ?? {},
  }
}
