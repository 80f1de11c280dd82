// Namespaces, a network and a folder → hosts on which programs run, are killed and are cut off, without anybody outside noticing.
import { execFile } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Host } from './hosts.ts'
import { openNamespaces } from './namespaces.ts'
import { connectHosts, cutBetween, healAll } from './network.ts'

export interface TestHosts {
  /** What is in it goes with the cluster. */
  readonly folder: string
  folderOf(host: Host): string
  /** What a script of the network's own prints: nothing that it starts may be left without a file for its output. */
  run(script: string): Promise<string>
  /** Starts a program that goes on by itself; what it says is in `HOST/log`. */
  start(host: Host, program: Program): Promise<void>
  /** A signal to everything on a host, as when it loses its power. */
  signal(host: Host, name: 'KILL' | 'TERM' | 'STOP' | 'CONT', pattern?: string): Promise<void>
  cut(ones: readonly Host[], others: readonly Host[]): Promise<void>
  heal(): Promise<void>
  stop(): Promise<void>
}

interface Program {
  readonly words: readonly string[]
  readonly environment?: Readonly<Record<string, string>>
  /** An account instead of root. */
  readonly account?: string
}

const MEMORY = '/dev/shm'
const ENOUGH_BYTES = 3 * 2 ** 30
/** A command inside is short; what takes longer hangs. */
const PATIENCE_MS = 60_000

const roomFor = (): string => {
  if (!existsSync(MEMORY)) return tmpdir()
  const { bavail, bsize } = statfsSync(MEMORY)
  return bavail * bsize > ENOUGH_BYTES ? MEMORY : tmpdir()
}

const quoted = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`

const lineOf = (host: Host, { words, environment = {}, account }: Program, log: string): string => {
  const settings = Object.entries({ PATH: process.env.PATH ?? '', LANG: 'C.UTF-8', ...environment })
  const as = account === undefined ? [] : ['setpriv', '--reuid', account, '--regid', account, '--clear-groups']
  const all = ['env', '-i', ...settings.map(([name, value]) => `${name}=${value}`), ...as, ...words]
  return `ip netns exec ${host} setsid ${all.map(quoted).join(' ')} >> ${log} 2>&1 < /dev/null &`
}

const run = promisify(execFile)

export const openTestHosts = async (): Promise<TestHosts> => {
  const folder = mkdtempSync(join(roomFor(), 'minaret-cluster-'))
  chmodSync(folder, 0o711)
  const namespaces = await openNamespaces(connectHosts, [folder], 'rm -rf "$1"').catch(error => {
    rmSync(folder, { recursive: true, force: true })
    throw error
  })
  const folderOf = (host: Host): string => {
    const path = join(folder, host)
    mkdirSync(path, { recursive: true })
    return path
  }
  const inside: TestHosts['run'] = async script => {
    const words = [...namespaces.enter, 'bash', '-c', `cd /; set -e; ${script}`]
    return (await run('nsenter', words, { timeout: PATIENCE_MS })).stdout
  }
  return {
    folder,
    folderOf,
    run: inside,
    start: async (host, program) => void (await inside(lineOf(host, program, join(folderOf(host), 'log')))),
    signal: async (host, name, pattern = '') => {
      const which =
        pattern === ''
          ? `ip netns pids ${host}`
          : `ip netns pids ${host} | xargs -r ps -o pid=,args= -p | grep -E ${quoted(pattern)}`
      await inside(`{ ${which} || true; } | awk '{print $1}' | xargs -r kill -${name} 2> /dev/null || true`)
    },
    cut: async (ones, others) => void (await inside(cutBetween(ones, others))),
    heal: async () => void (await inside(healAll)),
    stop: namespaces.stop,
  }
}
