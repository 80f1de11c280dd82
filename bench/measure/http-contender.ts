// A server and its requests → a contender: load from the generator, CPU and memory from /proc.
import type { Generator } from '../load/generator.ts'
import type { Job, Outcome, Source } from '../load/job.ts'
import { usageOf } from './process-usage.ts'
import type { Contender, Sample } from './rounds.ts'

export const CONNECTIONS = 32

export interface Machinery {
  readonly generator: Generator
  readonly databasePid: number
}

export interface HttpContenderOptions {
  readonly name: string
  readonly server: { readonly pid: number; readonly port: number }
  /** Built before each round, outside the measured time. */
  readonly source: (milliseconds: number) => Source | Promise<Source>
  readonly bodyStart?: string
  readonly status?: number
  /** Results of the last round: the last token of each chain. */
  readonly after?: (outcome: Outcome) => void
}

export const jobFor = (port: number, source: Source, changes: Partial<Job> = {}): Job => ({
  host: '127.0.0.1',
  port,
  connections: CONNECTIONS,
  source,
  milliseconds: 60_000,
  most: Number.POSITIVE_INFINITY,
  status: 200,
  bodyStart: '',
  collect: undefined,
  ...changes,
})

const runOnce = async (
  { generator, databasePid }: Machinery,
  { server, source, bodyStart = '', status = 200, after }: HttpContenderOptions,
  milliseconds: number,
): Promise<Sample> => {
  const job = jobFor(server.port, await source(milliseconds), { milliseconds, bodyStart, status })
  const before = { server: usageOf(server.pid), database: usageOf(databasePid) }
  const outcome = await generator.run(job)
  const now = { server: usageOf(server.pid), database: usageOf(databasePid) }
  after?.(outcome)
  const perThousand = (seconds: number): number => (seconds * 1000) / outcome.requests
  return {
    requests: outcome.requests,
    requestsPerSecond: outcome.requests / outcome.seconds,
    p50: outcome.p50,
    p99: outcome.p99,
    serverCpu: perThousand(now.server.cpuSeconds - before.server.cpuSeconds),
    databaseCpu: perThousand(now.database.cpuSeconds - before.database.cpuSeconds),
    memory: now.server.memory,
  }
}

export const httpContender = (machinery: Machinery, options: HttpContenderOptions): Contender => ({
  name: options.name,
  run: milliseconds => runOnce(machinery, options, milliseconds),
})
