// A statement over a batch of questions → a function for one question. Concurrent questions share a batch.
import { createTogether, type Placed } from '../base/together.ts'
import type { Queryable } from './database.ts'
import { prepared, type Sql, sql } from './sql.ts'

/**
 * The statement returns each result with its question's position in the batch, counted from 1. `locking` belongs after a
 * `for update`: a batch skips rows that are locked, so that no two batches can wait for each other. A question that got no
 * result for that reason is run again as a batch of one, which waits for the lock.
 */
export type BatchStatement<Question> = (questions: readonly Question[], locking: Sql) => Sql

const waits: Sql = sql``
const passesOver: Sql = sql`skip locked`

export interface BatchedInput<Question> {
  readonly database: Queryable
  /** Prefix of the prepared statements' names: a batch of one and larger batches each have one text. */
  readonly name: string
  readonly statement: BatchStatement<Question>
}

export const createBatched = <Question, Answer extends object>({ database, name, statement }: BatchedInput<Question>) =>
  createTogether<Question, Answer>({
    alone: question => database.first<Answer>(prepared(`${name}_alone`, statement([question], waits))),
    together: questions =>
      database.query<Placed<Answer>>(prepared(`${name}_together`, statement(questions, passesOver))),
  })
