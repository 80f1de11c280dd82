// Minaret as people run it: a separate process, with its output, signals and exit status.
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runCommandLine } from '../../src/commands/command-line.ts'
import { patient } from './minaret.ts'
import { within } from './oauth.ts'

const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url))
/** The program that people start: it provides the pinned runtime, and stays between the terminal and the service. */
export const wrapper = fileURLToPath(new URL('../../bin/minaret', import.meta.url))

export interface RunningProcess {
  readonly pid: number
  readonly baseUrl: string
  readonly sandboxUrl: string
  readonly output: () => string
  /** Sends the signal and waits for the exit. */
  stop(signal?: NodeJS.Signals): Promise<number | null>
}

export interface Ended {
  readonly status: number
  readonly stdout: string
  readonly stderr: string
}

/** What people who run it start from: every setting at its default, but for ports and the log. */
const untouched = (): NodeJS.ProcessEnv => ({
  PATH: process.env.PATH,
  HOME: process.env.HOME,
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
  MINARET_BUNDLE: process.env.MINARET_BUNDLE,
  PORT: '0',
  SANDBOX_PORT: '0',
  LOG_LEVEL: 'warn',
})

type Environment = Readonly<Record<string, string>>

const asInTests: Environment = { READ_CONNECTIONS: '1', ...patient }

const cleanEnvironment = (environment: Environment): NodeJS.ProcessEnv => ({
  ...untouched(),
  ...asInTests,
  ...environment,
})

/** A folder that every account may enter; the returned function removes it. */
export const temporaryFolder = (): { path: string; remove(): void } => {
  const path = mkdtempSync(join(tmpdir(), 'minaret-test-'))
  chmodSync(path, 0o711)
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) }
}

/** Runs one command until it exits. */
export const runMinaret = (args: readonly string[], environment: Record<string, string> = {}): Promise<Ended> =>
  new Promise(resolve => {
    execFile(process.execPath, [main, ...args], { env: cleanEnvironment(environment) }, (error, stdout, stderr) =>
      resolve({ status: error === null ? 0 : Number(error.code ?? 1), stdout, stderr }),
    )
  })

/** The same in this process, which takes a tenth of the time; for commands whose process is not what is tested. */
export const runCommand = async (args: readonly string[], environment: Record<string, string> = {}): Promise<Ended> => {
  let stdout = ''
  let stderr = ''
  const status = await runCommandLine([...args], {
    environment: cleanEnvironment(environment),
    print: text => {
      stdout += `${text}\n`
    },
    say: text => {
      stderr += `${text}\n`
    },
  })
  return { status, stdout, stderr }
}

const ended = (child: ChildProcess): Promise<number | null> =>
  new Promise(resolve => {
    if (child.exitCode !== null || child.signalCode !== null) resolve(child.exitCode)
    else child.once('exit', code => resolve(code))
  })

/** Waits until it prints its address. */
const startServing = async (program: string, env: NodeJS.ProcessEnv): Promise<RunningProcess> => {
  const child = spawn(process.execPath, [program, 'serve'], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  const addresses = new Promise<[string, string]>((resolve, reject) => {
    const read = (chunk: Buffer): void => {
      output += chunk
      const found = /Service\s+(\S+)[\s\S]*?Sandbox\s+(\S+)[\s\S]*\n/.exec(output)
      if (found?.[1] !== undefined && found[2] !== undefined) resolve([found[1], found[2]])
    }
    child.stdout.on('data', read)
    child.stderr.on('data', read)
    child.once('exit', code => reject(new Error(`minaret serve exited with ${code}:\n${output}`)))
  })
  const [baseUrl, sandboxUrl] = await addresses
  return {
    pid: child.pid ?? 0,
    baseUrl,
    sandboxUrl,
    output: () => output,
    stop: async (signal = 'SIGTERM') => {
      child.kill(signal)
      return ended(child)
    },
  }
}

/** Starts `minaret serve`, unless told otherwise with the patience and the few connections of tests. */
export const startMinaretProcess = (
  environment: Record<string, string> = {},
  { program = main, defaults = asInTests }: { readonly program?: string; readonly defaults?: Environment } = {},
): Promise<RunningProcess> => startServing(program, { ...untouched(), ...defaults, ...environment })

/** The database of a busy machine may take longer to answer than a probe waits. */
export const untilReady = (baseUrl: string): Promise<void> =>
  within(60_000, 'it is ready', async () => (await fetch(`${baseUrl}/readyz`)).status === 200)
