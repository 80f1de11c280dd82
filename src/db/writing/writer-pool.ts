// Transactions → their texts, over a few connections of a writing role. Whoever used the least database time goes first;
// every wait is bounded. Before it is sent a transaction can be withdrawn; after that it runs to its end.
import type { Logger } from '../../base/log.ts'
import type { Connection } from '../connection.ts'
import { databaseUnavailable } from '../database-fault.ts'
import { type Account, reserve, settle } from '../lanes/account.ts'
import { createAccounts } from '../lanes/accounts.ts'
import { createFairQueue } from '../lanes/fair-queue.ts'
import type { Abandonment } from '../reader-connection.ts'
import { Abandoned, overloaded, tooManyWaiting } from '../reading-errors.ts'
import type { StatementTiming } from '../statement-timing.ts'
import { checkDriver } from '../wire/driver-seam.ts'
import type { Transaction, TransactionResult } from './transaction-channel.ts'
import { createWriterConnection, type WriterConnection } from './writer-connection.ts'

export interface WriterPoolOptions {
  readonly connection: Connection
  readonly log: Logger
  readonly connections: number
  readonly statementTimeoutMs: number
  /** How long a whole transaction may take; by default twice as long as a statement. */
  readonly deadlineMs?: number | undefined
  /** By default a part of the statement timeout. */
  readonly lockTimeoutMs?: number | undefined
  /** How long a transaction may wait for a connection; by default for a part of its deadline. */
  readonly patienceMs?: number | undefined
}

interface WriteOptions {
  /** Whose share it counts towards: the same text for the same app or address. */
  readonly who: string
  /** Calls back when nobody waits for the result any more. */
  readonly abandoned?: Abandonment | undefined
  /** When the request arrived, by the clock of `performance.now`; its time is counted from then. */
  readonly since?: number | undefined
  /** Filled in when it is over. */
  readonly timing?: StatementTiming | undefined
}

export interface WriterPool {
  /** Rejects only if nothing was sent. @throws {Fault} `too-many-waiting`, `overloaded` or `unavailable` */
  write(transaction: Transaction, options: WriteOptions): Promise<TransactionResult>
  figures(): { readonly busy: number; readonly waiting: number; readonly most: number }
  close(): Promise<void>
}

interface Job {
  readonly account: Account
  readonly transaction: Transaction
  /** When it has to be done. */
  readonly until: number
  readonly resolve: (result: TransactionResult) => void
  readonly reject: (error: Error) => void
  timer: NodeJS.Timeout | undefined
  /** Undefined while it waits. */
  startedAt: number | undefined
}

const WAITING = 1000
const WAITING_PER_KEY = 200
/** With less time than this left, a transaction is not started. */
const LEAST_MS = 1000
/** Reserved until the time is known. */
const EXPECTED_MS = 5
/** One connection of this many is spare. */
const SPARE_PART = 4
/** A key that used less lately may take a spare connection for one transaction. */
const MODEST_MS = 250
/** The kind of account that transactions are charged to. */
const KIND = 'slow'
/** Waiting for a lock must end before the statement does, so that the error says what it waited for. */
const LOCK_SHARE = 0.6
/** The part of its deadline for which a transaction waits for a connection. */
const PATIENCE_SHARE = 0.6
/** A transaction of many statements may take longer than one statement. */
const DEADLINE_SHARE = 2

export const createWriterPool = (options: WriterPoolOptions): WriterPool => {
  checkDriver()
  const { connection, log, connections, statementTimeoutMs } = options
  const deadlineMs = options.deadlineMs ?? statementTimeoutMs * DEADLINE_SHARE
  const patienceMs = options.patienceMs ?? deadlineMs * PATIENCE_SHARE
  const times = {
    statementTimeoutMs,
    lockTimeoutMs: options.lockTimeoutMs ?? Math.ceil(statementTimeoutMs * LOCK_SHARE),
    idleMs: deadlineMs,
  }
  const all = Array.from({ length: connections }, () => createWriterConnection({ connection, log, times }))
  // The one used last is used again, so that idle ones are never opened.
  const free: WriterConnection[] = [...all]
  const accountOf = createAccounts()
  const queue = createFairQueue<Job>()
  /** Left for keys that wrote little lately, however many others write for long. */
  const spare = connections === 1 ? 0 : Math.ceil(connections / SPARE_PART)
  const mayGo = ({ account }: Job): boolean =>
    (account[KIND].running === 0 && account.usedMs < MODEST_MS) || free.length > spare

  const start = async (job: Job, over: WriterConnection): Promise<void> => {
    const started = performance.now()
    job.startedAt = started
    clearTimeout(job.timer)
    reserve(job.account, KIND, EXPECTED_MS)
    await over
      .run(job.transaction, job.until - started)
      .then(job.resolve, error => job.reject(databaseUnavailable(error)))
    const ranMs = performance.now() - started
    settle(job.account, { kind: KIND, reservedMs: EXPECTED_MS, statementMs: EXPECTED_MS, ranMs })
    free.push(over)
    pump()
  }

  const pump = (): void => {
    while (free.length > 0 && queue.length > 0) {
      const job = queue.first(performance.now(), mayGo)
      if (job === undefined) return
      queue.remove(job)
      void start(job, free.pop() as WriterConnection)
    }
  }

  const submit = (job: Job): void => {
    if (queue.lengthOf(job.account) >= WAITING_PER_KEY) job.reject(tooManyWaiting(1))
    else if (queue.length >= WAITING) job.reject(overloaded(1))
    else {
      queue.push(job)
      pump()
    }
  }

  const withdraw = (job: Job, error: Error): void => {
    if (!queue.remove(job)) return
    clearTimeout(job.timer)
    job.reject(error)
  }

  const write = (
    transaction: Transaction,
    { who, abandoned, since = performance.now(), timing }: WriteOptions,
  ): Promise<TransactionResult> =>
    new Promise((resolve, reject) => {
      const until = since + deadlineMs
      const submittedAt = performance.now()
      const leave = (): void => withdraw(job, new Abandoned())
      const end = (): void => {
        abandoned?.delete(leave)
        const endedAt = performance.now()
        const ranMs = endedAt - (job.startedAt ?? endedAt)
        if (timing !== undefined) Object.assign(timing, { submittedAt, endedAt, ranMs } satisfies StatementTiming)
      }
      const job: Job = {
        account: accountOf(who),
        transaction,
        until,
        resolve: result => {
          end()
          resolve(result)
        },
        reject: error => {
          end()
          reject(error)
        },
        timer: undefined,
        startedAt: undefined,
      }
      const patience = Math.min(patienceMs, until - performance.now() - LEAST_MS)
      job.timer = setTimeout(() => withdraw(job, overloaded(1)), patience)
      submit(job)
      // Called immediately if the client is already gone, so there must be something to withdraw by now.
      abandoned?.add(leave)
    })

  return {
    write,
    figures: () => ({ busy: connections - free.length, waiting: queue.length, most: connections }),
    close: async () => {
      await Promise.all(all.map(one => one.close()))
    },
  }
}
