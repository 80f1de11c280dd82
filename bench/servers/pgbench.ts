// The ceiling: PostgreSQL alone, driven by pgbench with the same prepared statement, pipelined as Minaret does, without HTTP,
// Node or JSON in between.
import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { usageOf } from '../measure/process-usage.ts'
import type { Contender, Sample } from '../measure/rounds.ts'
import { PGBENCH } from '../report/bars.ts'

/** Debian installs it beside the server's programs. */
export const findPgbench = (): string | undefined => {
  const versions = existsSync('/usr/lib/postgresql') ? readdirSync('/usr/lib/postgresql').sort() : []
  const places = [
    ...versions.reverse().map(version => `/usr/lib/postgresql/${version}/bin/pgbench`),
    '/usr/bin/pgbench',
  ]
  return places.find(place => existsSync(place))
}

export interface PgbenchOptions {
  readonly program: string
  readonly connection: { host: string; port: number; user: string; password: string; database: string }
  readonly databasePid: number
  readonly clients: number
  readonly statement: string
  /** One expression per parameter: a new random value for each request. */
  readonly values: readonly string[]
}

/** pgbench's variables can only be numbers, so one statement in 21 fetches texts for the next 20. */
const REPEATS = 20

const script = ({ statement, values }: PgbenchOptions): string => {
  const columns: string[] = []
  const repeats = Array.from({ length: REPEATS }, (_, repeat) => {
    columns.push(...values.map((value, index) => `${value} as v${repeat}_${index + 1}`))
    return `${statement.replace(/\s+/g, ' ').replace(/\$(\d+)/g, (_all, number) => `:v${repeat}_${number}`)};`
  })
  return `select ${columns.join(', ')} \\gset\n\\startpipeline\n${repeats.join('\n')}\n\\endpipeline\n`
}

const runProgram = (program: string, args: readonly string[], password: string): Promise<string> =>
  new Promise((resolve, reject) => {
    execFile(program, args, { env: { PGPASSWORD: password, PATH: process.env.PATH } }, (error, stdout, stderr) =>
      error === null ? resolve(stdout) : reject(new Error(`pgbench: ${stderr.slice(0, 500)}`)),
    )
  })

const measureOnce = async (options: PgbenchOptions, file: string, milliseconds: number): Promise<Sample> => {
  const { connection, clients, databasePid } = options
  const { host, port, user, database } = connection
  const seconds = Math.max(1, Math.round(milliseconds / 1000))
  const flags = ['-n', '-M', 'prepared', '-c', String(clients), '-j', '1', '-T', String(seconds), '-f', file]
  const before = usageOf(databasePid)
  const output = await runProgram(
    options.program,
    [...flags, '-h', host, '-p', String(port), '-U', user, database],
    connection.password,
  )
  const transactions = Number(/tps = ([\d.]+) \(without/.exec(output)?.[1])
  const requests = transactions * REPEATS * seconds
  return {
    requests,
    requestsPerSecond: transactions * REPEATS,
    p50: undefined,
    p99: undefined,
    serverCpu: 0,
    databaseCpu: ((usageOf(databasePid).cpuSeconds - before.cpuSeconds) * 1000) / requests,
    memory: 0,
  }
}

/** The script file exists only during its round. */
const withScript = async <T>(options: PgbenchOptions, work: (file: string) => Promise<T>): Promise<T> => {
  const folder = mkdtempSync(join(tmpdir(), 'minaret-pgbench-'))
  const file = join(folder, 'statement.sql')
  writeFileSync(file, script(options))
  try {
    return await work(file)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

export const pgbenchContender = (options: PgbenchOptions): Contender => ({
  name: PGBENCH,
  run: milliseconds => withScript(options, file => measureOnce(options, file, milliseconds)),
})
