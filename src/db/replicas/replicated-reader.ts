// A primary and its replicas → one reader. Replicas answer while they are near; otherwise, and whenever one fails, the primary.
import { Fault } from '../../base/fault.ts'
import type { Logger } from '../../base/log.ts'
import { gaugeFamily } from '../../metrics/family.ts'
import { type ChangeChecker, createChangeChecker } from '../changes/change-checker.ts'
import { checkSession, replicaCheck } from '../check-session.ts'
import type { Connection } from '../connection.ts'
import { databaseCode } from '../database-fault.ts'
import { createReader } from '../pipelined-reader.ts'
import type { Reader, ReaderOptions, ReadOptions } from '../reader.ts'
import type { TextStatement } from '../text-channel.ts'
import { createPositionHistory, readPosition } from './wal-position.ts'
import { watchPosition } from './watch-position.ts'

export interface ReplicatedReaderOptions extends Omit<ReaderOptions, 'checker'> {
  readonly replicas: readonly Connection[]
  /** A replica that is further behind is left out. */
  readonly mostLagMs: number
  /** Checks every server for changes; resolves when a structure read after the call is in force. Undefined if nobody asks for changes. */
  readonly onStructure?: (() => Promise<void>) | undefined
}

interface Replica {
  readonly reader: Reader
  /** Undefined while it cannot be reached. */
  position: bigint | undefined
  isIn: boolean
  close(): Promise<unknown>
}

/** Sent to whoever waits for a replica that is left out; the primary answers instead. */
class ReplicaLeftOut extends Error {}

/** A table or column that has not arrived yet; a row that was removed while it was read; a promotion. */
const repeatable = new Set(['42703', '42P01', '42883', '42704', '42501', '3F000', '40001', '25006'])

const mayPrimaryAnswer = (error: unknown): boolean =>
  error instanceof ReplicaLeftOut ||
  (error instanceof Fault && error.code === 'database-unavailable') ||
  repeatable.has(databaseCode(error))

/** A replica that was found to be behind a pooler is looked at again after this time. */
const CHECK_AGAIN_MS = 10_000

const nameOf = ({ host, port, connectionString }: Connection): string =>
  connectionString === undefined ? `${host}:${port}` : new URL(connectionString).host

export const createReplicatedReader = (options: ReplicatedReaderOptions): Reader => {
  const { replicas: connections, mostLagMs, log, onStructure, ...others } = options
  /** All have the structure of the primary, and may be behind it. */
  const followStructure = async (read: () => Promise<void>): Promise<bigint> => {
    await read()
    return connections.length === 0 ? 0n : (readPosition(await primary.position()) ?? 0n)
  }
  const checkerOf: CheckerOf = (connection, position) =>
    onStructure === undefined
      ? undefined
      : createChangeChecker({ connection, log, onStructure: () => followStructure(onStructure), position })
  const [target] = options.targets as readonly [Connection]
  const primary: Reader = createReader({ ...others, log, checker: checkerOf(target) })
  if (connections.length === 0) return primary
  const history = createPositionHistory(mostLagMs)
  const watch = watchPosition({
    connection: target,
    onPosition: position => history.note(position, performance.now()),
    // Without the primary nobody knows how far behind a replica is; it goes on answering.
    onLost: () => undefined,
  })
  const replicas = connections.map(connection =>
    openReplica(connection, { ...others, log, checkerOf }, history, mostLagMs),
  )
  let turn = 0

  /** In turn, among those that are in and have what the client has seen. */
  const choose = (position: bigint | undefined): Replica | undefined => {
    for (let tried = 0; tried < replicas.length; tried += 1) {
      const replica = replicas[turn++ % replicas.length] as Replica
      if (replica.isIn && (position === undefined || (replica.position ?? 0n) >= position)) return replica
    }
    return undefined
  }

  const read = async (statement: TextStatement, asked: ReadOptions): Promise<string> => {
    const since = asked.since ?? performance.now()
    const replica = choose(asked.position)
    if (replica === undefined) return primary.read(statement, asked)
    try {
      return await replica.reader.read(statement, { ...asked, since })
    } catch (error) {
      if (!mayPrimaryAnswer(error)) throw error
      return primary.read(statement, { ...asked, since })
    }
  }

  return {
    read,
    get ready() {
      return primary.ready || replicas.some(({ isIn, reader }) => isIn && reader.ready)
    },
    pointOnPrimary: primary.pointOnPrimary,
    position: primary.position,
    get checks() {
      return replicas.reduce((sum, { reader }) => sum + reader.checks, primary.checks)
    },
    failAll: primary.failAll,
    families: labels => [
      ...primary.families(labels),
      ...replicas.flatMap(({ reader }, index) => reader.families({ ...labels, replica: index + 1 })),
      gaugeFamily(
        { name: 'minaret_replicas_used', help: 'Replicas that answer reads; the others are down or behind.' },
        [{ labels, value: replicas.filter(({ isIn }) => isIn).length }],
      ),
    ],
    close: async () => void (await Promise.all([watch, primary, ...replicas].map(one => one.close()))),
  }
}

/** What is read on a server is checked there: a replica may be behind. */
type CheckerOf = (connection: Connection, position?: () => bigint | undefined) => ChangeChecker | undefined

interface ReplicaOptions extends Omit<ReaderOptions, 'targets' | 'checker'> {
  readonly log: Logger
  readonly checkerOf: CheckerOf
}

const openReplica = (
  connection: Connection,
  { checkerOf, ...options }: ReplicaOptions,
  history: ReturnType<typeof createPositionHistory>,
  mostLagMs: number,
): Replica => {
  const checker = checkerOf(connection, () => replica.position)
  const reader = createReader({ ...options, targets: [connection], checker })
  const leave = (reason: string): void => {
    replica.position = undefined
    if (!replica.isIn) return
    replica.isIn = false
    options.log.warn({ replica: nameOf(connection), reason }, 'a replica is left out; the primary answers')
    reader.failAll(new ReplicaLeftOut())
  }
  const judge = (position: bigint): void => {
    const lagMs = history.lagOf(position, performance.now())
    if (lagMs > mostLagMs) leave(`${Math.round(lagMs)} ms behind`)
    else enter(position)
  }
  /** One that was down at the start was not checked then. */
  let session: 'unknown' | 'asked' | 'own' = 'unknown'
  const check = async (): Promise<void> => {
    session = 'asked'
    try {
      await checkSession(connection, replicaCheck)
      session = 'own'
    } catch (error) {
      const reason = (error as Error).message
      options.log.error({ replica: nameOf(connection), reason }, 'a replica cannot be used')
      setTimeout(() => {
        session = 'unknown'
      }, CHECK_AGAIN_MS).unref()
    }
  }
  const enter = (position: bigint): void => {
    replica.position = position
    if (session === 'unknown') void check()
    if (replica.isIn || !reader.ready || session !== 'own') return
    replica.isIn = true
    options.log.info({ replica: nameOf(connection) }, 'a replica is used for reading')
  }
  const watch = watchPosition({ connection, onPosition: judge, onLost: leave })
  const replica: Replica = {
    reader,
    position: undefined,
    isIn: false,
    close: () => Promise.all([watch.close(), reader.close()]),
  }
  return replica
}
