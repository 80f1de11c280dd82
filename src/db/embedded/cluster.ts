// A prepared home → a running PostgreSQL and the way to connect to it; one left behind by a killed parent is taken over.
import { execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'
import type { Connection } from '../connection.ts'
import { type Account, unprivilegedAccount } from './account.ts'
import { programFolder } from './binaries.ts'
import { type Home, prepareHome } from './home.ts'
import { explainFileFault, StartFault } from './start-fault.ts'

export interface Cluster {
  readonly connection: Connection
  stop(): Promise<void>
}

interface Plan {
  readonly home: Home
  readonly account: Account | undefined
  readonly programs: string
  readonly settings: Readonly<Record<string, string>>
}

/** Only names the socket's file: nothing listens on TCP. */
const SOCKET_NUMBER = 54_329
const READY_DEADLINE_MS = 60_000
const STOP_DEADLINE_MS = 20_000

const baseSettings: Readonly<Record<string, string>> = {
  listen_addresses: '',
  port: String(SOCKET_NUMBER),
  unix_socket_permissions: '0700',
  timezone: 'UTC',
  log_timezone: 'UTC',
  max_connections: '200',
  shared_buffers: '128MB',
  jit: 'off',
  logging_collector: 'off',
}

const asAccount = (account: Account | undefined) =>
  account === undefined ? {} : { uid: account.uid, gid: account.gid }

const environment = { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' }

const give = (path: string, account: Account | undefined): void => {
  if (account !== undefined) chownSync(path, account.uid, account.gid)
}

/** Made in a folder of its own and moved into place, so that an interrupted start leaves nothing half done. */
const initialise = async ({ home, account, programs }: Plan): Promise<void> => {
  if (existsSync(join(home.data, 'PG_VERSION'))) return
  writeFileSync(home.passwordFile, randomBytes(24).toString('base64url'), { mode: 0o600 })
  chmodSync(home.passwordFile, 0o600)
  give(home.passwordFile, account)
  const unfinished = `${home.sockets}/new-data`
  rmSync(unfinished, { recursive: true, force: true })
  const options = ['--username=minaret', `--pwfile=${home.passwordFile}`, '--auth=scram-sha-256', '--encoding=UTF8']
  const locale = ['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']
  await promisify(execFile)(join(programs, 'initdb'), [`--pgdata=${unfinished}`, ...options, ...locale], {
    ...asAccount(account),
    cwd: home.sockets,
    env: environment,
  })
  renameSync(unfinished, home.data)
}

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** The postmaster's id, from the file that PostgreSQL itself keeps. */
const runningServer = (home: Home): number | undefined => {
  try {
    const pid = Number(readFileSync(join(home.data, 'postmaster.pid'), 'utf8').split('\n')[0])
    return pid > 0 && isAlive(pid) ? pid : undefined
  } catch {
    return undefined
  }
}

/** Detached, so that Ctrl-C at the terminal reaches Minaret first, which then stops it in order. */
const launch = ({ home, account, programs, settings }: Plan): void => {
  const log = openSync(home.log, 'a', 0o600)
  give(home.log, account)
  const flags = Object.entries({ ...baseSettings, unix_socket_directories: home.sockets, ...settings }).flatMap(
    ([name, value]) => ['-c', `${name}=${value}`],
  )
  const child = spawn(join(programs, 'postgres'), ['-D', home.data, ...flags], {
    ...asAccount(account),
    cwd: home.sockets,
    env: environment,
    detached: true,
    stdio: ['ignore', log, log],
  })
  child.on('error', () => undefined)
  child.unref()
  closeSync(log)
}

const connectionTo = (home: Home, database: string): Connection => ({
  host: home.sockets,
  port: SOCKET_NUMBER,
  user: 'minaret',
  password: readFileSync(home.passwordFile, 'utf8'),
  database,
})

const tryConnect = async (connection: Connection): Promise<boolean> => {
  const client = new pg.Client({ ...connection, connectionTimeoutMillis: 2000 })
  client.on('error', () => undefined)
  try {
    await client.connect()
    await client.end()
    return true
  } catch {
    return false
  }
}

const lastWords = (home: Home): string => {
  const lines = readFileSync(home.log, 'utf8').trimEnd().split('\n').slice(-12)
  if (lines.some(line => line.includes('No space left on device')))
    return 'the disk is full. Free some room and start again.'
  return (lines.findLast(line => /FATAL|PANIC|error/i.test(line)) ?? lines.at(-1) ?? 'it said nothing.').replace(
    /^.*?(FATAL|PANIC):\s*/,
    '',
  )
}

const untilReady = async (home: Home): Promise<void> => {
  const deadline = Date.now() + READY_DEADLINE_MS
  const connection = connectionTo(home, 'postgres')
  for (let pause = 20; Date.now() < deadline; pause = Math.min(pause * 1.3, 200)) {
    if (await tryConnect(connection)) return
    await delay(pause)
    if (pause > 60 && runningServer(home) === undefined) break
  }
  throw new StartFault(`The embedded PostgreSQL did not start: ${lastWords(home)} Its log is ${home.log}.`)
}

const createDatabase = async (home: Home): Promise<void> => {
  const client = new pg.Client(connectionTo(home, 'postgres'))
  await client.connect()
  const { rowCount } = await client.query(`select from pg_database where datname = 'minaret'`)
  if (rowCount === 0) await client.query('create database minaret')
  await client.end()
}

/** A fast shutdown: sessions are ended, everything acknowledged is on disk already. */
const stopServer = async (home: Home): Promise<void> => {
  const pid = runningServer(home)
  if (pid === undefined) return
  process.kill(pid, 'SIGINT')
  const deadline = Date.now() + STOP_DEADLINE_MS
  while (runningServer(home) === pid) {
    if (Date.now() > deadline) process.kill(pid, 'SIGQUIT')
    await delay(10)
  }
}

export const startCluster = async (
  dataDir: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<Cluster> => {
  const account = unprivilegedAccount()
  const home = prepareHome(dataDir, account)
  try {
    const plan: Plan = { home, account, programs: programFolder(home.folder, account), settings }
    await initialise(plan)
    if (runningServer(home) === undefined) launch(plan)
  } catch (error) {
    throw explainFileFault(home.folder, error)
  }
  await untilReady(home)
  await createDatabase(home)
  return { connection: connectionTo(home, 'minaret'), stop: () => stopServer(home) }
}

/** The cluster that a running service keeps in `dataDir`, or undefined. */
export const findCluster = (home: Home): Connection | undefined =>
  runningServer(home) === undefined ? undefined : connectionTo(home, 'minaret')
