// A connection pool of the owner role: queries, single rows, transactions. Every wait is bounded.
import pg from 'pg'
import type { Logger } from '../base/log.ts'
import { knownReads } from './changes/known-reads.ts'
import { type Connection, toPrimary, types } from './connection.ts'
import { breaksConnection, toDatabaseFault } from './database-fault.ts'
import { endWithHost } from './end-with-host.ts'
import { jobPatience, limitStatements, type Patience, SILENCE_MS } from './patience.ts'
import { isDeadlock, repeatIfDeadlocked } from './repeat-if-deadlocked.ts'
import { type SharedPool, sharePool } from './shared-pool.ts'
import { rawSql, type Sql, sql, toStatement, unnamed } from './sql.ts'
import { isUnconfirmed, unconfirmed } from './unconfirmed-commit.ts'

type Row = Record<string, unknown>

export interface Queryable {
  /** The rows of one statement. */
  query<R extends object = Row>(statement: Sql): Promise<R[]>
  /** The first row, if there is one. */
  first<R extends object = Row>(statement: Sql): Promise<R | undefined>
  /** The number of affected rows. */
  run(statement: Sql): Promise<number>
}

/** Statements reject with a `Fault` if the database cannot serve them now: `database-unavailable`, `storage-full`. */
export interface Database extends Queryable {
  readonly connection: Connection
  /** How its connections are used; undefined if it has none of its own. */
  readonly pool?: (() => PoolFigures) | undefined
  /** Rolls back if `work` throws. `work` is called again if a deadlock ended it: it keeps nothing outside of the transaction. */
  transaction<T>(work: (transaction: Queryable) => Promise<T>): Promise<T>
  close(): Promise<void>
}

interface PoolFigures {
  readonly connections: number
  readonly idle: number
  readonly waiting: number
  readonly most: number
}

export interface DatabaseOptions {
  readonly poolSize: number
  readonly log: Logger
  /** By default that of a job. */
  readonly patience?: Patience
  /** Through a pooler in transaction mode: neither settings of the session nor prepared statements last. */
  readonly isPooled?: boolean
}

type Run = (statement: Sql) => Promise<pg.QueryResult>

const queryable = (run: Run): Queryable => ({
  query: async <R extends object>(statement: Sql) => (await run(statement)).rows as R[],
  first: async <R extends object>(statement: Sql) => (await run(statement)).rows[0] as R | undefined,
  run: async statement => (await run(statement)).rowCount ?? 0,
})

type Lose = (error: Error) => void

/** Lends a connection to `work`; a lost one is not used again. */
const withPooled = async <T>(pool: SharedPool, work: (client: pg.PoolClient, lose: Lose) => Promise<T>): Promise<T> => {
  // What is read here says nothing about its changes: whoever knows of them reads it untraced, and notes them.
  knownReads.note(undefined)
  let client: pg.PoolClient | undefined
  let broken: Error | undefined
  // The pool handles errors only of idle connections; an unhandled one would crash the process.
  const lose = (error: Error): void => {
    broken ??= error
  }
  let isLocalOnly = false
  const note = (notice: { readonly routine?: string | undefined }): void => {
    isLocalOnly ||= isUnconfirmed(notice)
  }
  try {
    client = await pool.connect()
    client.on('error', lose).on('notice', note)
    const result = await work(client, lose)
    if (isLocalOnly) throw unconfirmed()
    return result
  } catch (error) {
    throw toDatabaseFault(error)
  } finally {
    client?.off('error', lose).off('notice', note)
    client?.release(broken)
  }
}

const send = async (client: pg.PoolClient, statement: Sql, lose: Lose): Promise<pg.QueryResult> => {
  try {
    return await client.query(toStatement(statement))
  } catch (error) {
    if (breaksConnection(error)) lose(error as Error)
    throw error
  }
}

interface Transaction {
  readonly client: pg.PoolClient
  readonly begin: string
  readonly nameless: (statement: Sql) => Sql
  readonly lose: Lose
}

/** Behind a statement that is still unanswered nothing else can be sent; closing the connection rolls back too. */
const inTransaction = async <T>(
  { client, begin, nameless, lose }: Transaction,
  work: (transaction: Queryable) => Promise<T>,
): Promise<T> => {
  let isLost = false
  let deadlock: unknown
  const note: Lose = error => {
    isLost = true
    lose(error)
  }
  const run: Run = async statement => {
    try {
      return await send(client, nameless(statement), note)
    } catch (error) {
      if (isDeadlock(error)) deadlock = error
      throw error
    }
  }
  try {
    await run(rawSql(begin))
    const result = await work(queryable(run))
    await run(sql`commit`)
    return result
  } catch (error) {
    if (!isLost) await run(sql`rollback`).catch(lose)
    // Whatever `work` made of it.
    throw deadlock ?? error
  }
}

/** The pool keeps its settings; after a failover, or with another password, its new connections need others. */
const clientFor = (connection: Connection): typeof pg.Client =>
  connection.several === undefined && connection.renewal === undefined
    ? pg.Client
    : class extends pg.Client {
        constructor(config: pg.ClientConfig) {
          super({ ...config, ...toPrimary(connection) })
          endWithHost(this, connection)
        }
      }

export const openDatabase = (connection: Connection, options: DatabaseOptions): Database => {
  const { poolSize, log, patience = jobPatience, isPooled = false } = options
  const pool = new pg.Pool({
    ...toPrimary(connection),
    Client: clientFor(connection),
    types,
    max: poolSize,
    application_name: 'minaret',
    connectionTimeoutMillis: patience.connectMs,
    query_timeout: patience.statementMs + SILENCE_MS,
    // Not as parameters of the connection: poolers refuse those that they do not know.
    onConnect: client => (isPooled ? undefined : client.query(limitStatements(patience, 'session'))),
  })
  const shared = sharePool(pool, { connection, log, poolSize, connectMs: patience.connectMs })
  const begin = isPooled ? `begin; ${limitStatements(patience, 'local')}` : 'begin'
  const nameless = (statement: Sql): Sql => (isPooled ? unnamed(statement) : statement)
  const run: Run = statement =>
    withPooled(shared, (client, lose) => repeatIfDeadlocked(() => send(client, nameless(statement), lose)))
  let closing = false
  // The pool replaces an idle connection that breaks; without a listener the error would crash the process. Only the reason
  // is logged: the error object itself refers to the whole connection.
  pool.on('error', ({ message: reason }) => {
    if (!closing) log.warn({ reason }, 'a database connection was lost')
  })
  return {
    connection,
    pool: () => ({ connections: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount, most: poolSize }),
    ...queryable(run),
    transaction: work =>
      withPooled(shared, (client, lose) =>
        repeatIfDeadlocked(() => inTransaction({ client, begin, nameless, lose }, work)),
      ),
    close: () => {
      closing = true
      shared.close()
      return pool.end()
    },
  }
}
