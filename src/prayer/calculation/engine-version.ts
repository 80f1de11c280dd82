// The version of the calculation as one string: the library, our own use of it, and the zone and calendar data of the runtime.
import { readFileSync } from 'node:fs'
import { findPackageJSON } from 'node:module'
import { isOlderVersion } from '../../base/is-older-version.ts'

/** Increase it when this folder changes what it stores for the same parameters. */
const REVISION = 4

const packageVersion = (): string => {
  const manifest = findPackageJSON('adhan', import.meta.url) ?? ''
  return (JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }).version
}

export const readEngineVersion = (): string =>
  `adhan ${packageVersion()} r${REVISION}, tz ${process.versions.tz ?? '-'}, icu ${process.versions.icu ?? '-'}`

/**
 * During a rolling upgrade, old and new processes run side by side. Only an older engine's times are due for calculation,
 * so that the two do not undo each other's work forever.
 */
export const isOlderEngine = isOlderVersion
