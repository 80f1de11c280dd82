// A throwaway cluster of the oldest supported PostgreSQL, from Debian's packages.
import { execFileSync } from 'node:child_process'
import { existsSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startTestCluster, type TestCluster } from '../../scripts/tests/cluster.ts'
import { unprivilegedAccount } from '../../src/db/embedded/account.ts'
import { type Cluster, startCluster } from '../../src/db/embedded/cluster.ts'
import { prepareHome } from '../../src/db/embedded/home.ts'
import { childOptions, give, type Plan } from '../../src/db/embedded/plan.ts'
import { temporaryFolder } from './process.ts'

export const PROGRAMS_15 = '/usr/lib/postgresql/15/bin'

/** `postgres (PostgreSQL) 15.20 (Debian 15.20-0+deb12u1)` */
export const programVersion15 = (): string =>
  execFileSync(join(PROGRAMS_15, 'postgres'), ['--version'], { encoding: 'utf8' }).trim()

/** For the options of a test. */
export const noPostgresql15: string | false = existsSync(join(PROGRAMS_15, 'postgres'))
  ? false
  : 'PostgreSQL 15 is not installed; Debian has it in the package postgresql-15.'

/** The embedded PostgreSQL uses a locale provider that 15 lacks; this one uses the system's, which sorts alike. */
const initialise = (folder: string): void => {
  const account = unprivilegedAccount()
  const home = prepareHome(folder, account)
  const plan: Plan = { home, account, programs: PROGRAMS_15, settings: {} }
  writeFileSync(home.passwordFile, 'only for tests', { mode: 0o600 })
  give(home.passwordFile, account)
  const target = join(home.workshop, 'new-data')
  const flags = [`--pgdata=${target}`, '--username=minaret', `--pwfile=${home.passwordFile}`, '--no-sync']
  const options = ['--auth=scram-sha-256', '--encoding=UTF8', '--locale=C.UTF-8']
  execFileSync(join(PROGRAMS_15, 'initdb'), [...flags, ...options], { ...childOptions(plan), stdio: 'ignore' })
  renameSync(target, home.data)
}

export const startCluster15 = (): Promise<TestCluster> => startTestCluster({ programs: PROGRAMS_15, initialise })

/** Without even our roles. */
export const startFreshCluster15 = async (): Promise<Cluster> => {
  const folder = temporaryFolder()
  initialise(folder.path)
  const settings = { fsync: 'off', full_page_writes: 'off', shared_buffers: '32MB' }
  const { connection, stop } = await startCluster(folder.path, settings, PROGRAMS_15)
  return { connection, stop: () => stop().then(folder.remove) }
}
