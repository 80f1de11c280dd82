// macOS, and as far as possible the BSDs: there is no /proc, so ps and lsof, which are part of the system, are asked.
import { spawnSync } from 'node:child_process'
import { realpathSync } from 'node:fs'
import { holdByFile, lockFile } from './hold-by-file.ts'
import type { Platform } from './platform.ts'

const ask = (program: string, args: readonly string[]): string =>
  spawnSync(program, args, { encoding: 'utf8', env: { PATH: '/usr/bin:/bin:/usr/sbin:/sbin', LC_ALL: 'C' } }).stdout ??
  ''

/** ps joins arguments with spaces, which paths may contain too. It prints a zombie as `(postgres)`. */
export const includesArgument = (commandLine: string, argument: string): boolean =>
  ` ${commandLine.trim()} `.includes(` ${argument} `)

/** What `lsof -F pn` prints: for each process a line `p` with its pid, then others, among them `n` with the path. */
export const readListed = (listed: string, path: string): readonly number[] =>
  listed
    .split(/^p/m)
    .filter(process => process.split('\n').includes(`n${path}`))
    .map(process => Number.parseInt(process, 10))

export const macos: Platform = {
  // The uid of `nobody` is negative there, which Node does not accept everywhere.
  accounts: ['_postgres'],
  stateFolder: '/usr/local/var/minaret',
  // Only recent versions have C.UTF-8.
  characterTypes: ['en_US.UTF-8', 'C'],
  programsRefusal: () => undefined,
  hasArgument: (pid, argument) => includesArgument(ask('ps', ['-ww', '-o', 'command=', '-p', String(pid)]), argument),
  processesIn: folder =>
    readListed(ask('lsof', ['-a', '-d', 'cwd', '-c', 'postgres', '-F', 'pn']), realpathSync(folder)),
  lowerThreadPriority: () => undefined,
  mainThreadFile: undefined,
  readTcpTable: () => '',
  holdFolder: async (folder, description) => holdByFile(folder, description, lockFile),
  servicesElsewhere: async () => [],
}
