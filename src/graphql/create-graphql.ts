// Database, role and schema → an engine that answers queries on that schema; one for the data, one for the sandbox.
import { readingScopes } from '../access/scopes.ts'
import type { Logger } from '../base/log.ts'
import { type StructureWatch, watchStructure } from '../catalog/watch-structure.ts'
import { shareWatch } from '../db/changes/share-watch.ts'
import { type ChangeWatch, createChangeWatch } from '../db/changes/watch-changes.ts'
import type { Connection } from '../db/connection.ts'
import type { DataSchema } from '../db/data-schema.ts'
import type { Database } from '../db/database.ts'
import type { Listener } from '../db/listener.ts'
import type { Reader } from '../db/reader.ts'
import { createReplicatedReader } from '../db/replicas/replicated-reader.ts'
import { readerGroups } from '../db/roles.ts'
import { createWriterPool, type WriterPool } from '../db/writing/writer-pool.ts'
import type { NoteAsked } from '../prayer/on-demand/asked-masjids.ts'
import type { Calculations } from './calculated/calculation.ts'
import { createReadLog, type ReadLog } from './read-log.ts'
import { rehearsalIn } from './rehearsal.ts'
import { createStructure, type Structure } from './structure.ts'
import { guardAgainstCommits } from './write/guard-against-commits.ts'

export interface GraphqlOptions {
  readonly database: Database
  readonly listener: Listener
  readonly log: Logger
  readonly schema: DataSchema
  /** Connections of the read-only role to the database. */
  readonly readers: readonly Connection[]
  /** The same to its replicas, and how far behind they may be. */
  readonly replicas?: readonly Connection[]
  readonly mostLagMs?: number
  readonly connections: number
  readonly statementTimeoutMs: number
  /** How long a request may take, its time in queues included; by default a second more than a statement. */
  readonly deadlineMs?: number
  /** The role that may write. */
  readonly writer: Connection
  readonly writeConnections: number
  /** Whether answers are kept in memory, so that the servers are asked for changes. */
  readonly keepsAnswers?: boolean
  /** Told which masjids' times somebody asked for; undefined where days are always stored. */
  readonly noteAsked?: NoteAsked | undefined
  /** Of functions whose rows the service calculates. */
  readonly calculations?: Calculations
}

/** What operations run on. */
export interface Engine {
  readonly structures: StructureWatch<Structure>
  readonly reader: Reader
  readonly writer: WriterPool
  /** Of the primary. */
  readonly changes: ChangeWatch
  /** Another watch of the same change log: each has one listener. */
  watchChanges(): ChangeWatch
  /** Mutations are only tried, as in the sandbox. */
  readonly dryRunsOnly: boolean
  readonly readLog: ReadLog
  readonly noteAsked?: NoteAsked | undefined
  readonly statementTimeoutMs: number
  readonly deadlineMs: number
}

export interface Graphql extends Engine {
  close(): Promise<void>
}

const MOST_LAG_MS = 2000
/** Nobody should wait for somebody who only tries something. */
const SANDBOX_LOCK_MS = 250
/** How soon subscriptions hear of a change; the sandbox changes once a day. */
const WATCH_MS = { public: 100, sandbox: 1000 } as const

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
    build: (model, version) => createStructure(model, version, { calculations: options.calculations }),
  })
  const rehearsal = rehearsalIn(schema)
  const reading = { targets: options.readers, log, connections, statementTimeoutMs, deadlineMs, rehearsal }
  const { replicas = [], mostLagMs = MOST_LAG_MS, keepsAnswers = false } = options
  const onStructure = keepsAnswers ? structures.settle : undefined
  const reader = createReplicatedReader({ ...reading, replicas, mostLagMs, onStructure })
  const dryRunsOnly = schema === 'sandbox'
  if (dryRunsOnly) await guardAgainstCommits(database)
  const writer = createWriterPool({
    connection: options.writer,
    log,
    connections: options.writeConnections,
    statementTimeoutMs,
    deadlineMs,
    lockTimeoutMs: dryRunsOnly ? SANDBOX_LOCK_MS : undefined,
  })
  const [primary] = options.readers as readonly [Connection]
  const changes = createChangeWatch({ connection: primary, log, everyMs: WATCH_MS[schema] })
  const watchChanges = shareWatch(changes)
  const readLog = createReadLog(database, log)
  return {
    structures,
    reader,
    writer,
    changes: watchChanges(),
    watchChanges,
    dryRunsOnly,
    readLog,
    noteAsked: options.noteAsked,
    statementTimeoutMs,
    deadlineMs,
    close: async () => {
      structures.close()
      await readLog.close()
      await Promise.all([reader.close(), writer.close(), changes.close()])
    },
  }
}
