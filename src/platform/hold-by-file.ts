// Ensures one holder per data folder where there are no abstract sockets: by a lock on a file, which the kernel frees however
// the process ends. The file contains the holder's description.
import { closeSync, constants, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { Hold } from './hold.ts'

/** `O_EXLOCK` of open(2) on macOS and the BSDs, for which Node has no name: opens and locks in one step. */
const EXCLUSIVE_LOCK = 0x20

/** Returns the open file, or undefined if another process has locked it. Node closes files in the programs it starts. */
export type LockFile = (file: string) => number | undefined

export const lockFile: LockFile = file => {
  try {
    return openSync(file, constants.O_RDWR | constants.O_CREAT | constants.O_NONBLOCK | EXCLUSIVE_LOCK, 0o600)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return undefined
    throw error
  }
}

const readDescription = (file: string): string => {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    // Another user's: only the lock says that somebody has it.
    return ''
  }
}

export const holdByFile = (folder: string, description: string, lock: LockFile): Hold => {
  const file = join(folder, 'holder')
  const opened = lock(file)
  if (opened === undefined) return { kind: 'taken', by: readDescription(file) }
  const describe = (text: string): void => {
    ftruncateSync(opened)
    writeSync(opened, text, 0)
  }
  describe(description)
  return { kind: 'held', holder: { describe, release: async () => closeSync(opened) } }
}
