// A connection pool of the owner role: queries, single rows, transactions.
import pg from 'pg'
import type { Logger } from '../base/log.ts'
import { type Connection, types } from './connection.ts'
import { type Sql, toStatement } from './sql.ts'

type Row = Record<string, unknown>

export interface Queryable {
  /** The rows of one statement. */
  query<R extends object = Row>(statement: Sql): Promise<R[]>
  /** The first row, if there is one. */
  first<R extends object = Row>(statement: Sql): Promise<R | undefined>
  /** The number of affected rows. */
  run(statement: Sql): Promise<number>
}

export interface Database extends Queryable {
  readonly connection: Connection
  /** Rolls back if `work` throws. */
  transaction<T>(work: (transaction: Queryable) => Promise<T>): Promise<T>
  close(): Promise<void>
}

interface Runner {
  query(statement: { name?: string; text: string; values: unknown[] }): Promise<pg.QueryResult>
}

const queryable = (runner: Runner): Queryable => ({
  query: async <R extends object>(statement: Sql) => (await runner.query(toStatement(statement))).rows as R[],
  first: async <R extends object>(statement: Sql) =>
    (await runner.query(toStatement(statement))).rows[0] as R | undefined,
  run: async statement => (await runner.query(toStatement(statement))).rowCount ?? 0,
})

const inTransaction = async <T>(pool: pg.Pool, work: (transaction: Queryable) => Promise<T>): Promise<T> => {
  const client = await pool.connect()
  let broken: Error | undefined
  // The pool handles errors only of idle connections; an unhandled one would crash the process.
  const lose = (error: Error): void => {
    broken = error
  }
  client.on('error', lose)
  try {
    await client.query('begin')
    const result = await work(queryable(client))
    await client.query('commit')
    return result
  } catch (error) {
    await client.query('rollback').catch(lose)
    throw error
  } finally {
    client.off('error', lose)
    client.release(broken)
  }
}

export const openDatabase = (connection: Connection, options: { poolSize: number; log: Logger }): Database => {
  const pool = new pg.Pool({
    ...connection,
    types,
    max: options.poolSize,
    application_name: 'minaret',
    connectionTimeoutMillis: 10_000,
  })
  let closing = false
  // The pool replaces an idle connection that breaks; without a listener the error would crash the process. Only the reason
  // is logged: the error object itself refers to the whole connection.
  pool.on('error', ({ message: reason }) => {
    if (!closing) options.log.warn({ reason }, 'a database connection was lost')
  })
  return {
    connection,
    ...queryable(pool),
    transaction: work => inTransaction(pool, work),
    close: () => {
      closing = true
      return pool.end()
    },
  }
}
