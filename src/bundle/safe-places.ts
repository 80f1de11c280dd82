// Folders that bundles may be in → those in which nobody else can have put one: what is found there runs with all our rights.
import { realpathSync, type Stats, statSync } from 'node:fs'
import { dirname, join } from 'node:path'

const ROOT = 0
const OTHERS_WRITE = /[2367]$/

const statOf = (path: string): Stats | undefined => {
  try {
    return statSync(path)
  } catch {
    return undefined
  }
}

/** Whoever the program belongs to could change the program as well. */
const ownersFor = (folder: string): ReadonlySet<number | undefined> =>
  new Set([ROOT, process.getuid?.(), statOf(join(folder, 'src'))?.uid])

const isSafe = (owners: ReadonlySet<number | undefined>, path: string): boolean => {
  const { uid, mode } = statOf(path) ?? {}
  return owners.has(uid) && !OTHERS_WRITE.test(mode?.toString(8) ?? '')
}

/** One that is not there is safe: whoever makes it has it for themselves. */
const isSafeOrNew = (owners: ReadonlySet<number | undefined>, path: string): boolean =>
  statOf(path) === undefined || isSafe(owners, path)

const resolved = (path: string): string => {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}

export const safePlaces = (folder: string, caches: readonly string[]): string[] => {
  const owners = ownersFor(folder)
  return caches
    .map(cache => join(resolved(cache), 'bundles'))
    .filter(place => isSafeOrNew(owners, dirname(place)) && isSafeOrNew(owners, place))
}

/** Also what was there before the folder around it became ours. */
export const isSafeBundle = (folder: string, bundle: string): boolean => {
  const owners = ownersFor(folder)
  return [bundle, dirname(bundle), dirname(dirname(bundle))].every(path => isSafe(owners, path))
}
