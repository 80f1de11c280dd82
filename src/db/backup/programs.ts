// PostgreSQL's own `pg_dump` and `pg_restore`: found, checked for their version, and run on a connection.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import pg from 'pg'
import { type Connection, toPrimary } from '../connection.ts'
import { StartFault } from '../embedded/start-fault.ts'

type Name = 'pg_dump' | 'pg_restore'

const DEBIAN = '/usr/lib/postgresql'

const folders = (): string[] => [
  ...(process.env.PATH ?? '').split(delimiter),
  ...(existsSync(DEBIAN) ? readdirSync(DEBIAN).map(version => join(DEBIAN, version, 'bin')) : []),
]

const versionOf = (program: string): number => {
  try {
    return Number(/ (\d+)/.exec(execFileSync(program, ['--version'], { encoding: 'utf8' }))?.[1] ?? 0)
  } catch {
    return 0
  }
}

/** @throws {StartFault} if there is none of the server's version or later. */
export const findProgram = (name: Name, server: number): string => {
  const found = folders()
    .map(folder => join(folder, name))
    .filter(existsSync)
    .map(program => ({ program, version: versionOf(program) }))
    .filter(({ version }) => version >= server)
    .sort((one, other) => one.version - other.version)[0]
  if (found !== undefined) return found.program
  throw new StartFault(
    `${name} of version ${server} or later was not found. Install PostgreSQL's client programs (on Debian: postgresql-client-${server}), or put their folder on PATH.`,
  )
}

/** In the environment, not on the command line, where everybody on the machine could read the password. */
const environmentFor = (connection: Connection): NodeJS.ProcessEnv => {
  const { host, port, user, password, database } = new pg.Client(toPrimary(connection))
  const query = new URL(connection.connectionString ?? 'postgres://localhost').searchParams
  return {
    PATH: process.env.PATH,
    PGHOST: host,
    PGPORT: String(port),
    PGUSER: user,
    PGPASSWORD: password ?? undefined,
    PGDATABASE: database,
    PGSSLMODE: query.get('sslmode') ?? undefined,
    PGSSLROOTCERT: query.get('sslrootcert') ?? undefined,
    PGCONNECT_TIMEOUT: '10',
    PGAPPNAME: 'minaret backup',
  }
}

export interface RunningProgram {
  readonly child: ChildProcess
  /** @throws {StartFault} with what the program said, if it failed. */
  readonly ended: Promise<void>
}

export const runProgram = (program: string, args: readonly string[], connection: Connection): RunningProgram => {
  const child = spawn(program, args, { env: environmentFor(connection), stdio: ['pipe', 'pipe', 'pipe'] })
  let said = ''
  child.stderr.on('data', chunk => {
    said = `${said}${chunk}`.slice(-4000)
  })
  // A program that ends early breaks the pipe to it; its own message says why.
  child.stdin.on('error', () => undefined)
  const ended = new Promise<void>((resolve, reject) => {
    child.once('error', error => reject(new StartFault(`${program} cannot be run: ${error.message}`, error)))
    child.once('close', code =>
      code === 0 ? resolve() : reject(new StartFault(`${program} failed:\n${said.trimEnd()}`)),
    )
  })
  return { child, ended }
}
