// The files that a run has yet to test: one entry per file in a folder. Lanes are separate processes, and removing an
// entry succeeds for exactly one of them.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export const fillQueue = (files: readonly string[]): string => {
  const queue = mkdtempSync(join(tmpdir(), 'minaret-queue-'))
  for (const [index, file] of files.entries()) writeFileSync(join(queue, String(index).padStart(5, '0')), file)
  return queue
}

export const unclaimed = (queue: string): readonly string[] =>
  readdirSync(queue)
    .sort()
    .map(entry => readFileSync(join(queue, entry), 'utf8'))

const claim = (path: string): string | undefined => {
  try {
    const file = readFileSync(path, 'utf8')
    rmSync(path)
    return file
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return
    throw error
  }
}

/** The next file, in order, that no other lane has claimed. */
export const claimNext = (queue: string): string | undefined => {
  for (const entry of readdirSync(queue).sort()) {
    const file = claim(join(queue, entry))
    if (file !== undefined) return file
  }
  return undefined
}
