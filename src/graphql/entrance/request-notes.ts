// What the entrance did for one request, for its trace.
import type { OperationFields } from '../../metrics/operation-meter.ts'
import type { TimedStatement } from '../timed-statement.ts'

export interface NotedOperation {
  /** What was asked for; undefined if it was refused. */
  readonly fields: OperationFields | undefined
  readonly source: 'memory' | 'database' | 'refused'
}

/** What the entrance did for one request. Nothing that the client sent is in it. */
export interface RequestNotes {
  readonly operations: NotedOperation[]
  readonly statements: TimedStatement[]
}
