// A process and all its descendants → CPU seconds used so far and resident memory, from /proc.
import { readdirSync, readFileSync } from 'node:fs'

/** The unit of /proc/PID/stat; 100 on every Linux that Node runs on. */
const TICKS_PER_SECOND = 100

export interface Usage {
  readonly cpuSeconds: number
  /** Resident memory now, in MiB. */
  readonly memory: number
}

interface Entry {
  readonly pid: number
  readonly parent: number
  readonly ticks: number
}

const read = (path: string): string | undefined => {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

/** A program's name may contain spaces and brackets, so fields are counted after the last bracket. */
const readEntry = (pid: number): Entry | undefined => {
  const text = read(`/proc/${pid}/stat`)
  if (text === undefined) return undefined
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  const at = (index: number): number => Number(fields[index])
  // utime, stime, and those of children that exited: a closed database session still counts.
  return { pid, parent: at(1), ticks: at(11) + at(12) + at(13) + at(14) }
}

const allProcesses = (): Entry[] =>
  readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .map(name => readEntry(Number(name)))
    .filter(entry => entry !== undefined)

const treeOf = (root: number): Entry[] => {
  const all = allProcesses()
  const found = all.filter(({ pid }) => pid === root)
  for (const { pid } of found) found.push(...all.filter(({ parent }) => parent === pid))
  return found
}

/** The processes below it, children first. */
export const descendantsOf = (root: number): number[] =>
  treeOf(root)
    .slice(1)
    .map(({ pid }) => pid)

const residentMiB = (pid: number, field: 'VmRSS' | 'VmHWM'): number =>
  Number(new RegExp(`${field}:\\s+(\\d+)`).exec(read(`/proc/${pid}/status`) ?? '')?.[1] ?? 0) / 1024

export const usageOf = (root: number): Usage => {
  const tree = treeOf(root)
  return {
    cpuSeconds: tree.reduce((sum, { ticks }) => sum + ticks, 0) / TICKS_PER_SECOND,
    memory: tree.reduce((sum, { pid }) => sum + residentMiB(pid, 'VmRSS'), 0),
  }
}

/** The processes' peak memory, in MiB. */
export const peakMemoryOf = (root: number): number =>
  treeOf(root).reduce((sum, { pid }) => sum + residentMiB(pid, 'VmHWM'), 0)
