// Linux, WSL included: processes and sockets are read from /proc.
import { readdirSync, readFileSync, readlinkSync, realpathSync } from 'node:fs'
import { setPriority } from 'node:os'
import { holdBySocket, socketHolders } from './hold-by-socket.ts'
import type { Platform } from './platform.ts'

/** Undefined if the process is gone, or belongs to somebody else. */
const attempt = <T>(read: () => T): T | undefined => {
  try {
    return read()
  } catch {
    return undefined
  }
}

/** A file of /proc/PID/cmdline: arguments, each closed by a zero. */
export const includesArgument = (commandLine: string, argument: string): boolean =>
  commandLine.split('\0').includes(argument)

/** Node's report names the GNU C library if there is one. */
export const refuseOtherLibraries = (report: { header?: { glibcVersionRuntime?: string } }): string | undefined =>
  report.header?.glibcVersionRuntime === undefined
    ? 'The embedded PostgreSQL does not run on this C library (musl).'
    : undefined

/** Naming the sources of the calls takes longer than the rest of the report. */
const reportWithoutCalls = () => {
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 0
  try {
    return process.report.getReport()
  } finally {
    Error.stackTraceLimit = stackTraceLimit
  }
}

export const linux: Platform = {
  accounts: ['postgres', 'nobody'],
  stateFolder: '/var/lib/minaret',
  characterTypes: ['C.UTF-8', 'C'],
  programsRefusal: () => refuseOtherLibraries(reportWithoutCalls()),
  hasArgument: (pid, argument) =>
    attempt(() => includesArgument(readFileSync(`/proc/${pid}/cmdline`, 'utf8'), argument)) ?? false,
  processesIn: folder => {
    const path = realpathSync(folder)
    const isThere = (entry: string): boolean => attempt(() => readlinkSync(`/proc/${entry}/cwd`)) === path
    return readdirSync('/proc')
      .filter(entry => /^\d+$/.test(entry) && isThere(entry))
      .map(Number)
  },
  // For Linux, 0 is the calling thread.
  lowerThreadPriority: priority => setPriority(0, priority),
  // The main thread has the number of its process.
  mainThreadFile: `/proc/self/task/${process.pid}/stat`,
  // Both or nothing: a port may be in either.
  readTcpTable: () =>
    attempt(() => ['/proc/net/tcp', '/proc/net/tcp6'].map(file => readFileSync(file, 'utf8')).join('\n')) ?? '',
  holdFolder: holdBySocket,
  servicesElsewhere: socketHolders,
}
