// What Minaret needs from the operating system beyond what Node offers. Each system has one file with its own answers.
import type { Hold } from './hold.ts'

export interface Platform {
  /** Users that run PostgreSQL for root, the best first. */
  readonly accounts: readonly string[]
  /** Where such a user keeps data if it cannot reach the data folder. */
  readonly stateFolder: string
  /** Values for `--lc-ctype`, the best first. Every system has the last one, which knows the letters of English only. */
  readonly characterTypes: readonly string[]
  /** Why the packaged PostgreSQL does not run here, if so. */
  programsRefusal(): string | undefined
  /** Whether the process was started with this argument. A pid that is gone or belongs to a zombie was not. */
  hasArgument(pid: number, argument: string): boolean
  /** Processes of PostgreSQL whose working directory is the folder. */
  processesIn(folder: string): readonly number[]
  /** Lowers the priority of the calling thread, or does nothing where only whole processes have one. */
  lowerThreadPriority(priority: number): void
  /** Where the kernel tells the CPU time of this process's main thread, as in /proc/PID/stat; undefined on other systems. */
  readonly mainThreadFile: string | undefined
  /** The kernel's table of TCP sockets as Linux writes it; empty on other systems. */
  readTcpTable(): string
  /** Never waits: either this process now holds the folder, or another one does and describes itself. */
  holdFolder(folder: string, description: string): Promise<Hold>
  /** Descriptions of the services that hold other folders, as far as the system can tell. */
  servicesElsewhere(folder: string): Promise<readonly string[]>
}
