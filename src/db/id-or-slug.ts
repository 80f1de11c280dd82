// The id or slug that somebody gave → the condition for that row, as the indexes on both columns can use it.
import { isUuidInAnyCase } from '../base/uuid.ts'
import { type Sql, sql } from './sql.ts'

export const hasIdOrSlug = (given: string): Sql =>
  isUuidInAnyCase(given) ? sql`(id = ${given}::uuid or slug = ${given})` : sql`slug = ${given}`
