// The limits that hold before any work is done, in one place; the documentation is made from them.

import { MOST_BYTES } from '../../db/wire/incoming.ts'

export const limits = {
  /** Bytes of a request's body. */
  bodyBytes: 256 * 1024,
  /** Bytes of an answer. */
  answerBytes: MOST_BYTES,
  /** Words and signs in a document. */
  tokens: 4000,
  /** Fields within fields, fragments opened. */
  depth: 20,
  /** Objects and lists within each other in one argument or variable. */
  valueDepth: 40,
  /** Fields in an operation, fragments opened. */
  fields: 1000,
  aliases: 200,
  /** Conditions in the filters of an operation, and those of them that look at other tables: each is planned by the database. */
  conditions: 1000,
  relatedConditions: 100,
  /** Relationships within relationships in a filter: each multiplies the rows that may have to be looked at. */
  relatedDepth: 6,
  /** Keys to sort by, in one list. */
  sortKeys: 32,
  rootFields: 30,
  /** Rows that the limits of lists allow, multiplied down the tree; a batch as a whole. */
  cost: 50_000,
  /** What one total costs, in rows. */
  totalCost: 10,
  /** Operations in a batch. */
  batch: 10,
  /** Rows in a list. */
  page: 100,
  /** What `offset` may be: PostgreSQL would take more, but GraphQL's Int ends here. */
  offset: 2_147_483_647,
  /** Skipping so many rows costs as much as reading one, up to `offsetCost`: `offset` itself has no bound. */
  skippedRows: 100,
  offsetCost: 1000,
  /** Values in a list to compare with. */
  values: 1000,
  /** Characters of a pattern, and of what a search function looks for. */
  searchCharacters: 200,
  /** People that a total must cover. */
  people: 5,
} as const
