// A statement over a batch of questions → a function for one question; those of one moment go together.
import { createTogether, type Placed } from '../base/together.ts'
import type { Queryable } from './database.ts'
import { prepared, type Sql, sql } from './sql.ts'

/**
 * The statement answers each question with its place in the batch, counted from 1. `locking` belongs after a `for update`
 * in it: a batch passes over rows that somebody else holds, so that no two batches can wait for each other; a question
 * that got no answer for that reason is asked again as a batch of one, which waits.
 */
export type BatchStatement<Question> = (questions: readonly Question[], locking: Sql) => Sql

const waits: Sql = sql``
const passesOver: Sql = sql`skip locked`

export interface BatchedInput<Question> {
  readonly database: Queryable
  /** Of the prepared statements: one text each for a batch of one and for larger ones. */
  readonly name: string
  readonly statement: BatchStatement<Question>
}

export const createBatched = <Question, Answer extends object>({ database, name, statement }: BatchedInput<Question>) =>
  createTogether<Question, Answer>({
    alone: question => database.first<Answer>(prepared(`${name}_alone`, statement([question], waits))),
    together: questions =>
      database.query<Placed<Answer>>(prepared(`${name}_together`, statement(questions, passesOver))),
  })
