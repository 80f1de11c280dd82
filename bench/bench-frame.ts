// The inputs and outputs of a group of scenarios.
import type { Connection } from '../src/db/connection.ts'
import type { BenchCluster } from './data/cluster.ts'
import type { Sizes } from './data/tables.ts'
import type { Machinery } from './measure/http-contender.ts'
import { measure, type Result, type Scenario } from './measure/rounds.ts'
import { isChosen, type Options } from './options.ts'
import type { Findings } from './report/bars.ts'
import type { Progress } from './report/progress.ts'
import type { Tenants } from './servers/tenants.ts'

export interface Bench {
  readonly options: Options
  readonly progress: Progress
  readonly cluster: BenchCluster
  readonly machinery: Machinery
  readonly sizes: Sizes
  /** The loaded database, as its owner. */
  readonly database: Connection
  /** The environment Minaret is started with. */
  readonly environment: Readonly<Record<string, string>>
  readonly tenants: Tenants
  /** For the report: what could not be measured here, and why. */
  readonly remarks: string[]
  /** Groups that failed. */
  readonly failed: string[]
}

export interface Group {
  /** The name `--only` selects it by. */
  readonly name: string
  /** Starts what it needs, measures, and stops it. */
  run(bench: Bench): Promise<Findings>
}

export const nothingFound: Findings = { results: [], readings: [] }

export const measureChosen = async (bench: Bench, scenarios: readonly Scenario[]): Promise<readonly Result[]> => {
  const results: Result[] = []
  for (const scenario of scenarios)
    if (isChosen(scenario.name, bench.options))
      results.push(await measure(scenario, bench.options.timing, bench.progress))
  return results
}

interface Stoppable {
  stop(): Promise<void>
}

/** Stops whatever was started, even if the work in between fails. */
export const withServers = async <T>(
  work: (started: <S extends Stoppable>(server: Promise<S>) => Promise<S>) => Promise<T>,
): Promise<T> => {
  const servers: Stoppable[] = []
  const started = async <S extends Stoppable>(server: Promise<S>): Promise<S> => {
    servers.push(await server)
    return server
  }
  try {
    return await work(started)
  } finally {
    for (const server of servers.reverse()) await server.stop()
  }
}
