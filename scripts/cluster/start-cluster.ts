// Debian's programs → the reference cluster: three databases under Patroni, three etcd, haproxy, pgbouncer, two processes of Minaret, nginx.
import { randomBytes } from 'node:crypto'
import { chownSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { createLogger } from '../../src/base/log.ts'
import { createEventTriggers, eventTriggers } from '../../src/commands/doctor/event-triggers.ts'
import { type Connection, fromUrl } from '../../src/db/connection.ts'
import { migrate } from '../../src/db/migrate.ts'
import { withClient } from '../../src/db/with-client.ts'
import {
  etcdWords,
  haproxyConfiguration,
  nginxConfiguration,
  type Passwords,
  patroniConfiguration,
  pgbouncerConfiguration,
  serviceSettings,
} from './configurations.ts'
import {
  addresses,
  type DatabaseHost,
  databases,
  type Host,
  hosts,
  keepers,
  ports,
  type ServiceHost,
  services,
} from './hosts.ts'
import { isWhole, readMembers } from './patroni.ts'
import { type Reached, reach } from './reach.ts'
import { openTestHosts, type TestHosts } from './test-hosts.ts'

interface ClusterOptions {
  readonly say?: (line: string) => void
  /** For every process of Minaret, beside those that make it part of the cluster. */
  readonly environment?: Readonly<Record<string, string>>
  /** Runs once the tables are there, before the first process starts. */
  readonly prepare?: (owner: Connection) => Promise<void>
  readonly stopping?: AbortSignal
}

export interface Cluster extends TestHosts {
  readonly baseUrl: string
  readonly sandboxUrl: string
  /** A port of this machine that leads to a port of a host. */
  portOf(host: Host, port: number): number
  /** Of Minaret's database, wherever the leader is. */
  readonly ownerUrl: string
  /** As the owner of Minaret's database, or as the superuser in its own. */
  urlOf(host: DatabaseHost, as?: 'minaret' | 'postgres'): string
  startDatabase(host: DatabaseHost): Promise<void>
  startService(host: ServiceHost): Promise<void>
  untilWhole(): Promise<void>
}

const PATIENCE_MS = 180_000
const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url))
const relay = fileURLToPath(new URL('relay.ts', import.meta.url))

/** What is reached from outside. */
const doors: readonly (readonly [Host, number])[] = [
  ['edge', 80],
  ['edge', 81],
  ...services.map(host => [host, ports.service] as const),
  ...databases.flatMap(host => [[host, ports.postgres] as const, [host, ports.patroni] as const]),
  ['balancer', ports.leader],
  ['balancer', ports.pgbouncer],
]

const makePassword = (): string => randomBytes(18).toString('hex')

const until = async (what: string, isSo: () => Promise<boolean>, stopping?: AbortSignal): Promise<void> => {
  for (const deadline = Date.now() + PATIENCE_MS; !(await isSo().catch(() => false)); await delay(100)) {
    if (stopping?.aborted) throw new Error('Stopped.')
    if (Date.now() > deadline) throw new Error(`Not within ${PATIENCE_MS / 1000} seconds: ${what}`)
  }
}

const answers = async (url: string): Promise<boolean> =>
  (await fetch(url, { signal: AbortSignal.timeout(3000) })).status === 200

const openDoors = async (testHosts: TestHosts): Promise<ReadonlyMap<string, Reached>> => {
  const socketOf = (host: Host, port: number): string => join(testHosts.folder, `${host}-${port}`)
  const words = doors.map(([host, port]) => `${socketOf(host, port)}=${addresses[host]}:${port}`)
  const line = [process.execPath, relay, ...words].map(word => `'${word}'`).join(' ')
  await testHosts.run(`setsid ${line} > ${testHosts.folder}/relay.log 2>&1 < /dev/null &`)
  const opened = doors.map(async ([host, port]) => [`${host}:${port}`, await reach(socketOf(host, port))] as const)
  return new Map(await Promise.all(opened))
}

/** Which account an installed program is for, by the files of this machine. */
const accountOf = (name: string): { uid: number; gid: number } => {
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find(one => one.startsWith(`${name}:`))
  const [, , uid, gid] = line?.split(':') ?? []
  if (uid === undefined) throw new Error(`There is no account ${name}: postgresql-15 is not installed.`)
  return { uid: Number(uid), gid: Number(gid) }
}

const POSTGRES = 'postgres'

/** As its unit does. */
const RESTARTED = 'while :; do "$@"; sleep 1; done'
const LAST_WORDS = 1500

const lastWords = (log: string): string => (existsSync(log) ? readFileSync(log, 'utf8').slice(-LAST_WORDS) : '')

/** How this process runs the program, so do those of the cluster. */
const passedOn = (): Record<string, string> =>
  Object.fromEntries(
    ['NODE_COMPILE_CACHE', 'MINARET_BUNDLE'].flatMap(name => {
      const value = process.env[name]
      return value === undefined ? [] : [[name, value]]
    }),
  )

/** What would be made again if it were lost need not wait for a standby. */
const hastily = async (superuser: string, work: () => Promise<void>): Promise<void> => {
  const change = (what: string) => withClient(fromUrl(superuser), client => client.query(`alter role minaret ${what}`))
  await change("set synchronous_commit = 'local'")
  await work()
  await change('reset synchronous_commit')
}

/** As `minaret doctor` asks the superuser to. */
const addEventTriggers = (url: string): Promise<unknown> =>
  withClient({ ...fromUrl(url), database: 'minaret' }, async client => {
    for (const statement of createEventTriggers(Object.keys(eventTriggers))) await client.query(statement)
  })

export const startCluster = async (options: ClusterOptions = {}): Promise<Cluster> => {
  const { say = () => undefined, environment = {}, prepare = async () => undefined, stopping } = options
  const passwords: Passwords = {
    superuser: makePassword(),
    replicator: makePassword(),
    owner: makePassword(),
    secret: environment.MINARET_SECRET ?? makePassword(),
  }
  const account = accountOf(POSTGRES)
  const testHosts = await openTestHosts()
  const { folderOf, start } = testHosts
  const reached = await openDoors(testHosts)
  const portOf = (host: Host, port: number): number => reached.get(`${host}:${port}`)?.port ?? 0
  const patroniOf = (host: DatabaseHost): number => portOf(host, ports.patroni)
  const baseUrl = `http://localhost:${portOf('edge', 80)}`
  const sandboxUrl = `http://localhost:${portOf('edge', 81)}`

  const write = (host: Host, name: string, text: string): string => {
    const folder = folderOf(host)
    const file = join(folder, name)
    writeFileSync(file, text, { mode: 0o600 })
    for (const path of [folder, file]) chownSync(path, account.uid, account.gid)
    return file
  }
  const startDatabase: Cluster['startDatabase'] = host => {
    const file = write(host, 'patroni.yml', patroniConfiguration(host, folderOf(host), passwords))
    return start(host, { words: ['patroni', file], account: POSTGRES, environment: { HOME: folderOf(host) } })
  }
  const startService: Cluster['startService'] = host => {
    const settings = serviceSettings(host, { passwords, baseUrl, sandboxUrl })
    const all = { ...passedOn(), HOME: folderOf(host), ...environment, ...settings }
    return start(host, { words: ['sh', '-c', RESTARTED, 'sh', process.execPath, main, 'serve'], environment: all })
  }
  const urlOf: Cluster['urlOf'] = (host, as = 'minaret') =>
    `postgres://${as}:${as === 'minaret' ? passwords.owner : passwords.superuser}@127.0.0.1:${portOf(host, ports.postgres)}/${as}`
  const places = databases.map(host => `127.0.0.1:${portOf(host, ports.postgres)}`).join(',')
  const ownerUrl = `postgres://minaret:${passwords.owner}@${places}/minaret`
  const untilWhole = (): Promise<void> =>
    until('one leader, and two replicas that follow it', async () => isWhole(await readMembers(patroniOf)), stopping)

  const startKeepers = async (): Promise<void> => {
    say('etcd, three times …')
    for (const host of keepers)
      await start(host, { words: etcdWords(host, folderOf(host)), environment: { ETCD_UNSUPPORTED_ARCH: 'arm64' } })
  }
  const startDatabases = async (): Promise<DatabaseHost> => {
    say('PostgreSQL under Patroni, three times: the first is created, the others are copied …')
    for (const host of databases) await startDatabase(host)
    await untilWhole()
    const leader = (await readMembers(patroniOf)).find(({ role }) => role === 'leader')?.name ?? 'db1'
    await withClient(fromUrl(urlOf(leader, 'postgres')), async client => {
      await client.query(`create role minaret login createrole password '${passwords.owner}'`)
      await client.query("create database minaret owner minaret template template0 encoding 'UTF8' locale 'C.UTF-8'")
    })
    return leader
  }
  const startBalancers = async (): Promise<void> => {
    say('haproxy, pgbouncer and nginx …')
    const haproxy = write('balancer', 'haproxy.cfg', haproxyConfiguration())
    write('balancer', 'users', `"minaret" "${passwords.owner}"\n`)
    const pgbouncer = write('balancer', 'pgbouncer.ini', pgbouncerConfiguration(folderOf('balancer')))
    const nginx = write('edge', 'nginx.conf', nginxConfiguration(folderOf('edge')))
    await start('balancer', { words: ['haproxy', '-db', '-f', haproxy] })
    await start('balancer', { words: ['pgbouncer', pgbouncer], account: POSTGRES })
    await start('edge', {
      words: ['nginx', '-e', join(folderOf('edge'), 'error.log'), '-p', folderOf('edge'), '-c', nginx],
    })
  }

  const stop = async (): Promise<void> => {
    for (const one of reached.values()) one.close()
    await testHosts.stop()
  }
  try {
    await startKeepers()
    const leader = await startDatabases()
    say('the tables …')
    await hastily(urlOf(leader, 'postgres'), async () => {
      await migrate(fromUrl(urlOf(leader)), createLogger('silent'))
      await addEventTriggers(urlOf(leader, 'postgres'))
      await prepare(fromUrl(urlOf(leader)))
    })
    await startBalancers()
    say('Minaret, twice …')
    for (const host of services) await startService(host)
    for (const host of services)
      await until(`${host} is ready`, () => answers(`http://127.0.0.1:${portOf(host, ports.service)}/readyz`), stopping)
    await until('nginx leads to it', () => answers(`${baseUrl}/readyz`), stopping)
  } catch (error) {
    const said = hosts.map(host => `${host}: ${lastWords(join(folderOf(host), 'log'))}`).join('\n')
    await stop()
    throw new Error(`${(error as Error).message}\n${said}`)
  }
  return { ...testHosts, baseUrl, sandboxUrl, portOf, ownerUrl, urlOf, startDatabase, startService, untilWhole, stop }
}
