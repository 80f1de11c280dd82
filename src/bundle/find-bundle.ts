// The project's folder → the bundle of exactly these files, made if there is none, or undefined: the program then runs as it is.
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { keyOf, programFiles, stampOf } from './program-files.ts'
import { isSafeBundle, safePlaces } from './safe-places.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** In the file of a bundle that is complete: which files it was made of, as they were last seen. */
export const STAMP_FILE = 'stamp'
export const ENTRY = 'commands/command-line'

/**
 * Where bundles may be, the first one that can be written to being where one is made: beside the packages, as in a clone and in the
 * image, or else beside the code that Node compiled, as where systemd shows the project read-only. Never where others could put one.
 */
const placesOf = (folder: string, { NODE_COMPILE_CACHE }: Environment): string[] => {
  const beside = join(folder, 'node_modules/.cache/minaret')
  return safePlaces(folder, [...new Set([beside, NODE_COMPILE_CACHE || beside])])
}

const readable = (file: string): string | undefined => {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}

const bundlesIn = (place: string): string[] => {
  try {
    return readdirSync(place).map(name => join(place, name))
  } catch {
    return []
  }
}

/** Whether the next start finds it sooner does not matter to this one. */
const noteStamp = (bundle: string, stamp: string): void => {
  try {
    const unfinished = join(bundle, `${STAMP_FILE}.${process.pid}`)
    writeFileSync(unfinished, stamp)
    renameSync(unfinished, join(bundle, STAMP_FILE))
  } catch {}
}

const make = (folder: string, places: readonly string[]): void => {
  const script = fileURLToPath(new URL('./make-bundle.ts', import.meta.url))
  // In a process of its own, which leaves nothing in the memory of the service.
  spawnSync(process.execPath, [script, folder, ...places], { stdio: ['ignore', 2, 2], env: { PATH: process.env.PATH } })
}

export interface BundleRequest {
  readonly folder: string
  readonly environment: Environment
  /** Called if one is made, which takes a few seconds. */
  readonly onMaking: () => void
}

const findIn = (folder: string, places: readonly string[], files: readonly string[]): string | undefined => {
  const stamp = stampOf(folder, files)
  const seen = places
    .flatMap(bundlesIn)
    .find(bundle => readable(join(bundle, STAMP_FILE)) === stamp && isSafeBundle(folder, bundle))
  if (seen !== undefined) return seen
  const key = keyOf(folder, files)
  const same = places
    .map(place => join(place, key))
    .find(bundle => readable(join(bundle, STAMP_FILE)) !== undefined && isSafeBundle(folder, bundle))
  if (same !== undefined) noteStamp(same, stamp)
  return same
}

/** The module of the command line in the bundle. */
export const findBundle = ({ folder, environment, onMaking }: BundleRequest): string | undefined => {
  if (environment.MINARET_BUNDLE === 'off') return undefined
  const places = placesOf(folder, environment)
  if (places.length === 0) return undefined
  const files = programFiles(folder)
  let found = findIn(folder, places, files)
  if (found === undefined) {
    onMaking()
    make(folder, places)
    found = findIn(folder, places, files)
  }
  return found === undefined ? undefined : pathToFileURL(join(found, `${ENTRY}.mjs`)).href
}
