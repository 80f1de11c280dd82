// The files that a run has yet to test: one entry per group of files in a folder. Lanes are separate processes, and removing an
// entry succeeds for exactly one of them.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export const fillQueue = (groups: readonly (readonly string[])[]): string => {
  const queue = mkdtempSync(join(tmpdir(), 'minaret-queue-'))
  for (const [index, group] of groups.entries())
    writeFileSync(join(queue, String(index).padStart(5, '0')), group.join('\n'))
  return queue
}

export const unclaimed = (queue: string): readonly string[] =>
  readdirSync(queue)
    .sort()
    .flatMap(entry => readFileSync(join(queue, entry), 'utf8').split('\n'))

const claim = (path: string): readonly string[] | undefined => {
  try {
    const group = readFileSync(path, 'utf8').split('\n')
    rmSync(path)
    return group
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return
    throw error
  }
}

/** The next group, in order, that no other lane has claimed. */
export const claimNext = (queue: string): readonly string[] | undefined => {
  for (const entry of readdirSync(queue).sort()) {
    const group = claim(join(queue, entry))
    if (group !== undefined) return group
  }
  return undefined
}
