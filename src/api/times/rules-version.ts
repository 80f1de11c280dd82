// What all times follow from besides the question: the engine, the rules of zones and calendars, and the borders of zones.
import { readFileSync } from 'node:fs'
import { findPackageJSON } from 'node:module'
import { readEngineVersion } from '../../prayer/calculation/engine-version.ts'

/** Increase it when answers say the same in other words. */
const ANSWERS = 2

export const readRulesVersion = (): string => {
  const manifest = findPackageJSON('geo-tz/all', import.meta.url) ?? ''
  const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }
  return `${readEngineVersion()}, borders ${version}, answers ${ANSWERS}`
}
