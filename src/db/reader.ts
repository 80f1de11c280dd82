// What reads statements from the database or its replicas, and what it is told about each.
import type { Logger } from '../base/log.ts'
import type { Family, Labels } from '../metrics/family.ts'
import type { ChangeChecker, CheckPoint } from './changes/change-checker.ts'
import type { Connection } from './connection.ts'
import type { Abandonment } from './reader-connection.ts'
import type { StatementTiming } from './statement-timing.ts'
import type { TextStatement } from './text-channel.ts'

export interface ReaderOptions {
  /** The database, or its replicas. */
  readonly targets: readonly Connection[]
  readonly log: Logger
  /** The number of connections for statements known to be quick. Others have separate connections. */
  readonly connections: number
  readonly statementTimeoutMs: number
  /** How long a statement may take in all, its time in queues included. */
  readonly deadlineMs?: number
  /** SQL that each connection runs when it is opened. */
  readonly rehearsal?: string | undefined
  /** Of changes on the same server; undefined if nobody asks when something was read. */
  readonly checker?: ChangeChecker | undefined
}

/** Set by the reader: what was known about changes just before the result was read. */
export interface ReadMoment {
  point: CheckPoint | undefined
}

export interface ReadOptions {
  /** Whose share it counts towards: the same text for the same app or address. */
  readonly who: string
  /** Calls back when nobody waits for the result any more. */
  readonly abandoned?: Abandonment | undefined
  /** Where the client's last write is in the write-ahead log: a replica that is not there yet may not answer. */
  readonly position?: bigint | undefined
  /** When its request arrived, by `performance.now()`; by default now. Its deadline counts from there. */
  readonly since?: number | undefined
  /** Expected to take long, whatever the statement usually takes: for example because it skips many rows. */
  readonly heavy?: boolean
  readonly moment?: ReadMoment | undefined
  /** Filled in by the reader; undefined if nobody wants to know. */
  readonly timing?: StatementTiming | undefined
}

export interface Reader {
  /** The text in the first column of the first row. */
  read(statement: TextStatement, options: ReadOptions): Promise<string>
  readonly ready: boolean
  /** For what is about to be read from the primary over another connection; undefined if changes could be missed. */
  pointOnPrimary(): CheckPoint | undefined
  /** Where the primary is in its write-ahead log. */
  position(): Promise<string>
  /** Rejects everything that is waiting or running, as its server is given up. */
  failAll(error: Error): void
  /** How often changes were asked for. */
  readonly checks: number
  /** How its lanes are used. */
  families(labels: Labels): Family[]
  close(): Promise<void>
}
