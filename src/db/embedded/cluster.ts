// DATA_DIR → a running PostgreSQL and how to connect to it. Adopts one that a killed parent left running.
import { readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { canConnect } from '../can-connect.ts'
import type { Connection } from '../connection.ts'
import { withClient } from '../with-client.ts'
import { unprivilegedAccount } from './account.ts'
import { programFolder } from './binaries.ts'
import { type Home, prepareHome, removeSockets } from './home.ts'
import { initialise } from './initialise.ts'
import type { Plan } from './plan.ts'
import { clearStaleLock, launch, runningServer, SOCKET_NUMBER, stopServer } from './postmaster.ts'
import { explainFileFault, StartFault } from './start-fault.ts'

export interface Cluster {
  readonly connection: Connection
  stop(): Promise<void>
}

/** One that was killed first repeats what its log has, which takes minutes on a slow machine. One that ends is noticed at once. */
const READY_DEADLINE_MS = 300_000
const CONNECT_PATIENCE_MS = 2000

const connectionTo = (home: Home, database: string): Connection => ({
  host: home.sockets,
  port: SOCKET_NUMBER,
  user: 'minaret',
  password: readFileSync(home.passwordFile, 'utf8'),
  database,
})

const lastLines = (home: Home): string[] => readFileSync(home.log, 'utf8').trimEnd().split('\n').slice(-12)

const lastWords = (home: Home): string => {
  const lines = lastLines(home)
  if (lines.some(line => line.includes('No space left on device')))
    return 'the disk is full. Free some room and start again.'
  const telling = lines.findLast(line => /FATAL|PANIC|error/i.test(line)) ?? lines.at(-1) ?? 'it said nothing.'
  return telling.replace(/^.*?(FATAL|PANIC):\s*/, '')
}

const untilReady = async (plan: Plan): Promise<void> => {
  const { home } = plan
  const deadline = Date.now() + READY_DEADLINE_MS
  const connection = connectionTo(home, 'postgres')
  await clearStaleLock(home)
  const ended = runningServer(home) === undefined ? launch(plan) : () => runningServer(home) === undefined
  for (let pause = 20; Date.now() < deadline && !ended(); pause = Math.min(pause * 1.3, 200)) {
    if (await canConnect(connection, CONNECT_PATIENCE_MS)) return
    await delay(pause)
  }
  throw new StartFault(`The embedded PostgreSQL did not start: ${lastWords(home)} Its log is ${home.log}.`)
}

const createDatabase = (home: Home): Promise<void> =>
  withClient(connectionTo(home, 'postgres'), async client => {
    const { rowCount } = await client.query(`select from pg_database where datname = 'minaret'`)
    if (rowCount === 0) await client.query('create database minaret')
  })

/** `programs` of another version are for tests, which also create its data directory. */
export const startCluster = async (
  dataDir: string,
  settings: Readonly<Record<string, string>> = {},
  programs?: string,
): Promise<Cluster> => {
  const account = unprivilegedAccount()
  const home = prepareHome(dataDir, account)
  try {
    const plan: Plan = { home, account, programs: programs ?? programFolder(home.folder, account), settings }
    await initialise(plan)
    await untilReady(plan)
  } catch (error) {
    throw explainFileFault(home.folder, error)
  }
  await createDatabase(home)
  return { connection: connectionTo(home, 'minaret'), stop: () => stopServer(home).then(() => removeSockets(home)) }
}

/** The cluster that a running service uses in this home, or undefined. */
export const findCluster = (home: Home): Connection | undefined =>
  runningServer(home) === undefined ? undefined : connectionTo(home, 'minaret')
