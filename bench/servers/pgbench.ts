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

export interface PgbenchRun {
  readonly program: string
  readonly connection: { host: string; port: number; user: string; password: string; database: string }
  readonly databasePid: number
  readonly clients: number
}

export interface PgbenchOptions extends PgbenchRun {
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

interface Script {
  readonly text: string
  /** Statements that count in each run of it. */
  readonly statements: number
}

const measureOnce = async (options: PgbenchRun, file: string, milliseconds: number, each: number): Promise<Sample> => {
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
  const requests = transactions * each * seconds
  return {
    requests,
    requestsPerSecond: transactions * each,
    p50: undefined,
    p99: undefined,
    serverCpu: 0,
    databaseCpu: ((usageOf(databasePid).cpuSeconds - before.cpuSeconds) * 1000) / requests,
    memory: 0,
  }
}

/** The script file exists only during its round. */
const measureScript = async (options: PgbenchRun, script: Script, milliseconds: number): Promise<Sample> => {
  const folder = mkdtempSync(join(tmpdir(), 'minaret-pgbench-'))
  const file = join(folder, 'statement.sql')
  writeFileSync(file, script.text)
  try {
    return await measureOnce(options, file, milliseconds, script.statements)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

export const pgbenchContender = (options: PgbenchOptions): Contender => ({
  name: PGBENCH,
  run: milliseconds => measureScript(options, { text: script(options), statements: REPEATS }, milliseconds),
})

/** Each run of the script is a transaction of its own, and counts once. */
export const commitsByPgbench = (options: PgbenchRun, text: string, milliseconds: number): Promise<Sample> =>
  measureScript(options, { text, statements: 1 }, milliseconds)
