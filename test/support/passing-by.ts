// A database → the same, whose statements all pass a function of the test, those of transactions too.
import type { Database, Queryable } from '../../src/db/database.ts'
import { type Sql, toStatement } from '../../src/db/sql.ts'

type Method = keyof Queryable

/** `run` carries the statement out. */
export type Pass = <T>(text: string, run: () => Promise<T>, method: Method) => Promise<T>

const passing = (queryable: Queryable, pass: Pass): Queryable => {
  const through =
    <T>(method: Method, run: (statement: Sql) => Promise<T>) =>
    (statement: Sql): Promise<T> =>
      pass(toStatement(statement).text, () => run(statement), method)
  return {
    query: through('query', queryable.query) as Queryable['query'],
    first: through('first', queryable.first) as Queryable['first'],
    run: through('run', queryable.run),
  }
}

export const passingBy = (database: Database, pass: Pass): Database => ({
  ...database,
  ...passing(database, pass),
  transaction: work => database.transaction(transaction => work(passing(transaction, pass))),
})
