// A global id → the table and primary key that it names. An id is base64url of a JSON array: the table, then the key's values.
import { GraphQLError } from 'graphql'
import type { GraphqlErrorCode } from './error-code.ts'
import { readOpaqueText } from './read-opaque-text.ts'

export interface GlobalId {
  readonly table: string
  readonly key: readonly string[]
}

/** Undefined for what cannot be an id of any row. */
export const readGlobalId = (text: string): GlobalId | undefined => {
  const parts = readOpaqueText(text)
  if (!Array.isArray(parts) || parts.length < 2 || !parts.every(part => typeof part === 'string')) return undefined
  const [table, ...key] = parts as [string, ...string[]]
  return { table, key }
}

const BAD_ID: GraphqlErrorCode = 'bad-id'

export const badIdMessage = 'This is not the id of a row. Send an `id` as this endpoint returned it.'

export const badId = (): GraphQLError => new GraphQLError(badIdMessage, { extensions: { code: BAD_ID } })
