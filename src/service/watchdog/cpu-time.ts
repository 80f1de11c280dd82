// → How much CPU time the main thread has used, read from another thread, without any help from it.
import { openSync, readSync } from 'node:fs'

/** USER_HZ, which is 100 on every system that Node runs on. */
const TICK_MS = 10
const LONGEST = 1024

/** A line of /proc/PID/task/TID/stat: see proc_pid_stat(5). The name of the program, in parentheses, may contain anything. */
export const readTicks = (line: string): number => {
  const [, , , , , , , , , , , user, system] = line.slice(line.lastIndexOf(')') + 2).split(' ')
  return Number(user) + Number(system)
}

/** Of all threads together, where the kernel does not tell them apart. */
const ofProcess = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/** @param file of the main thread, as Linux has it. @returns milliseconds */
export const cpuTimeReader = (file: string | undefined): (() => number) => {
  if (file === undefined) return ofProcess
  const bytes = Buffer.alloc(LONGEST)
  try {
    const opened = openSync(file, 'r')
    return () => readTicks(bytes.toString('latin1', 0, readSync(opened, bytes, 0, LONGEST, 0))) * TICK_MS
  } catch {
    // A container without /proc.
    return ofProcess
  }
}
