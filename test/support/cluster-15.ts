// A throwaway cluster of the oldest supported PostgreSQL, from Debian's packages.
import { execFileSync } from 'node:child_process'
import { existsSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startTestCluster, type TestCluster } from '../../scripts/test-cluster.ts'
import { unprivilegedAccount } from '../../src/db/embedded/account.ts'
import { prepareHome } from '../../src/db/embedded/home.ts'
import { childOptions, give, type Plan } from '../../src/db/embedded/plan.ts'

const PROGRAMS = '/usr/lib/postgresql/15/bin'

/** For the options of a test. */
export const noPostgresql15: string | false = existsSync(join(PROGRAMS, 'postgres'))
  ? false
  : 'PostgreSQL 15 is not installed; Debian has it in the package postgresql-15.'

/** The embedded PostgreSQL uses a locale provider that 15 lacks; this one uses the system's, which sorts alike. */
const initialise = (folder: string): void => {
  const account = unprivilegedAccount()
  const home = prepareHome(folder, account)
  const plan: Plan = { home, account, programs: PROGRAMS, settings: {} }
  writeFileSync(home.passwordFile, 'only for tests', { mode: 0o600 })
  give(home.passwordFile, account)
  const target = join(home.workshop, 'new-data')
  const flags = [`--pgdata=${target}`, '--username=minaret', `--pwfile=${home.passwordFile}`, '--no-sync']
  const options = ['--auth=scram-sha-256', '--encoding=UTF8', '--locale=C.UTF-8']
  execFileSync(join(PROGRAMS, 'initdb'), [...flags, ...options], { ...childOptions(plan), stdio: 'ignore' })
  renameSync(target, home.data)
}

export const startCluster15 = (): Promise<TestCluster> => startTestCluster({ programs: PROGRAMS, initialise })
