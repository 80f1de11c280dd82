// Finds the oldest supported PostgreSQL for the tests, or installs Debian's package where possible.
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { installFromDebian } from './debian-packages.mjs'

const PROGRAMS = '/usr/lib/postgresql/15/bin'
const SETTINGS = '/etc/postgresql-common/createcluster.d'

/** Debian's package would create and start a server; only the programs are needed. */
const installWithoutServer = () => {
  const file = `${SETTINGS}/minaret-tests.conf`
  mkdirSync(SETTINGS, { recursive: true })
  writeFileSync(file, 'create_main_cluster = false\n')
  try {
    installFromDebian('PostgreSQL 15 for the tests', ['postgresql-15'])
  } finally {
    rmSync(file)
  }
}

/** In CI the newest minor version that Debian has: what was installed once may be behind what people get. Elsewhere it may be in use. */
export const ensurePostgresql15 = () => {
  const isThere = existsSync(`${PROGRAMS}/postgres`)
  if (isThere && process.env.CI === undefined) return
  if (process.getuid?.() === 0) installWithoutServer()
  if (!existsSync(`${PROGRAMS}/postgres`))
    console.error('PostgreSQL 15 not found: its tests are skipped. On Debian it is in the package postgresql-15.')
}
