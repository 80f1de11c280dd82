// The oldest PostgreSQL that is supported, for the tests: found, or installed from Debian's packages where that is allowed.
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { installFromDebian } from './debian-packages.mjs'

const PROGRAMS = '/usr/lib/postgresql/15/bin'
const SETTINGS = '/etc/postgresql-common/createcluster.d'

/** Debian would start a server of its own with the package; only the programs are wanted. */
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

export const ensurePostgresql15 = () => {
  if (existsSync(`${PROGRAMS}/postgres`)) return
  if (process.getuid?.() === 0) installWithoutServer()
  if (!existsSync(`${PROGRAMS}/postgres`))
    console.error('There is no PostgreSQL 15: its tests are skipped. Debian has it in the package postgresql-15.')
}
