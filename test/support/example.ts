// One program of examples/ as people run it: a separate process, with its output.
import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

export interface RunningExample {
  /** Resolves with the first match in the program's output. */
  says(pattern: RegExp): Promise<RegExpExecArray>
  /** Resolves when it exits. */
  ended(): Promise<{ readonly status: number | null; readonly output: string }>
  stop(): Promise<void>
}

const folder = fileURLToPath(new URL('../../', import.meta.url))

const programs: Readonly<Record<string, string>> = { mjs: process.execPath, py: 'python3' }

const exited = (child: ChildProcess): Promise<number | null> =>
  new Promise(resolve => {
    if (child.exitCode !== null || child.signalCode !== null) resolve(child.exitCode)
    else child.once('exit', code => resolve(code))
  })

/** `file` is below examples/. */
export const runExample = (
  file: string,
  environment: Record<string, string>,
  parameters: readonly string[] = [],
): RunningExample => {
  const program = programs[file.split('.').at(-1) ?? ''] ?? process.execPath
  const child = spawn(program, [`examples/${file}`, ...parameters], {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, PORT: '0', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  const listeners = new Set<() => void>()
  const read = (chunk: Buffer): void => {
    output += chunk
    for (const listener of listeners) listener()
  }
  child.stdout.on('data', read)
  child.stderr.on('data', read)
  return {
    says: pattern =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          const found = pattern.exec(output)
          if (found === null) return
          listeners.delete(look)
          resolve(found)
        }
        listeners.add(look)
        child.once('exit', code => reject(new Error(`${file} ended with ${code}:\n${output}`)))
        look()
      }),
    ended: async () => ({ status: await exited(child), output }),
    stop: async () => {
      child.kill()
      await exited(child)
    },
  }
}
