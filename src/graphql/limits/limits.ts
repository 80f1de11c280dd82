// The limits that apply before any work is done, in one place; the documentation is generated from them.

import { MOST_BYTES } from '../../db/wire/incoming.ts'
import { MOST_DAYS } from '../../place-times/parameters.ts'

export const limits = {
  /** Bytes of a request body. */
  bodyBytes: 256 * 1024,
  /** Bytes of a response. */
  answerBytes: MOST_BYTES,
  /** Tokens in a document. */
  tokens: 4000,
  /** Nesting of fields, with fragments expanded. */
  depth: 20,
  /** Nesting of objects and lists in one argument or variable. */
  valueDepth: 40,
  /** Fields in an operation, with fragments expanded. */
  fields: 1000,
  aliases: 200,
  /** Conditions in the filters of an operation, and those of them on other tables: the database plans each. */
  conditions: 1000,
  relatedConditions: 100,
  /** Nesting of relationships in a filter: each level multiplies the rows that may have to be read. */
  relatedDepth: 6,
  /** Sort keys in one list. */
  sortKeys: 32,
  rootFields: 30,
  /** Rows that the limits of lists allow, multiplied down the tree; for a batch as a whole. */
  cost: 50_000,
  /** The cost of one aggregate, in rows. */
  totalCost: 10,
  /** Operations in a batch. */
  batch: 10,
  /** Rows in a list. */
  page: 100,
  /** Rows in a list that is calculated. */
  calculated: MOST_DAYS,
  /** The maximum `offset`: PostgreSQL would accept more, but GraphQL's Int ends here. */
  offset: 2_147_483_647,
  /** Skipping this many rows costs as much as reading one, up to `offsetCost`: `offset` itself is not limited. */
  skippedRows: 100,
  offsetCost: 1000,
  /** Values in a list to compare with. */
  values: 1000,
  /** Characters of a pattern, and of the search text of a function. */
  searchCharacters: 200,
  /** Objects that one field inserts, with nested ones. */
  inserted: 1000,
  /** Objects inserted, updates and deletions in an operation, or in a batch as a whole: each is a statement. */
  writes: 2000,
  /** Rows that one field updates or deletes: unless `max_affected` says otherwise, and at most. */
  affected: 100,
  mostAffected: 1000,
  /** People that an aggregate must cover. */
  people: 5,
} as const
