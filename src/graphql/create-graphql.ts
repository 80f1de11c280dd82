// Database, role and schema → an engine that answers queries on that schema; one for the data, one for the sandbox.
import { readingScopes } from '../access/scopes.ts'
import type { Logger } from '../base/log.ts'
import { type StructureWatch, watchStructure } from '../catalog/watch-structure.ts'
import type { Connection } from '../db/connection.ts'
import type { DataSchema } from '../db/data-schema.ts'
import type { Database } from '../db/database.ts'
import type { Listener } from '../db/listener.ts'
import { createReader, type Reader } from '../db/pipelined-reader.ts'
import { readerGroups } from '../db/roles.ts'
import { sql } from '../db/sql.ts'
import { createWriterPool, type WriterPool } from '../db/writing/writer-pool.ts'
import { createReadLog, type ReadLog } from './read-log.ts'
import { createStructure, type Structure } from './structure.ts'

export interface GraphqlOptions {
  readonly database: Database
  readonly listener: Listener
  readonly log: Logger
  readonly schema: DataSchema
  /** Connections of the read-only role: to the database, or its replicas. */
  readonly readers: readonly Connection[]
  readonly connections: number
  readonly statementTimeoutMs: number
  /** How long a request may take, its time in queues included; by default a second more than a statement. */
  readonly deadlineMs?: number
  /** The role that may write. */
  readonly writer: Connection
  readonly writeConnections: number
}

/** What operations run on. */
export interface Engine {
  readonly structures: StructureWatch<Structure>
  readonly reader: Reader
  readonly writer: WriterPool
  /** Mutations are only tried, as in the sandbox. */
  readonly dryRunsOnly: boolean
  readonly readLog: ReadLog
  readonly statementTimeoutMs: number
  readonly deadlineMs: number
}

export interface Graphql extends Engine {
  close(): Promise<void>
}

/** Nobody should wait for somebody who only tries something. */
const SANDBOX_LOCK_MS = 250

export const createGraphql = async (options: GraphqlOptions): Promise<Graphql> => {
  const { database, listener, log, schema, connections, statementTimeoutMs } = options
  const { deadlineMs = statementTimeoutMs + 1000 } = options
  const structures = await watchStructure({
    database,
    listener,
    log,
    schema,
    reader: readerGroups[schema],
    knownScopes: readingScopes,
    build: createStructure,
  })
  const reader = createReader({ targets: options.readers, log, connections, statementTimeoutMs, deadlineMs })
  const dryRunsOnly = schema === 'sandbox'
  if (dryRunsOnly) await database.run(sql`select sandbox.guard_against_commits()`)
  const writer = createWriterPool({
    connection: options.writer,
    log,
    connections: options.writeConnections,
    statementTimeoutMs,
    deadlineMs,
    lockTimeoutMs: dryRunsOnly ? SANDBOX_LOCK_MS : undefined,
  })
  const readLog = createReadLog(database, log)
  return {
    structures,
    reader,
    writer,
    dryRunsOnly,
    readLog,
    statementTimeoutMs,
    deadlineMs,
    close: async () => {
      structures.close()
      await readLog.close()
      await Promise.all([reader.close(), writer.close()])
    },
  }
}
