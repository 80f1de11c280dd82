// A program → a running server: started on the pinned runtime, awaited, measured, stopped.
import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

export interface Server {
  readonly name: string
  readonly pid: number
  readonly port: number
  /** Requests something from a peer's program: codes, tokens. */
  ask(question: unknown): Promise<unknown>
  stop(): Promise<void>
}

export const untilEnded = (child: ChildProcess): Promise<void> =>
  new Promise(resolve => {
    if (child.exitCode !== null || child.signalCode !== null) resolve()
    else child.once('exit', () => resolve())
  })

export const stopProcess = async (child: ChildProcess): Promise<void> => {
  child.kill('SIGTERM')
  const late = setTimeout(() => child.kill('SIGKILL'), 10_000)
  await untilEnded(child)
  clearTimeout(late)
}

const nextMessage = (child: ChildProcess, words: () => string): Promise<unknown> =>
  new Promise((resolve, reject) => {
    const ended = (): void => reject(new Error(`The server ended: ${words()}`))
    child.once('exit', ended)
    child.once('message', message => {
      child.off('exit', ended)
      resolve(message)
    })
  })

interface PeerProgram {
  readonly name: string
  /** A file in this folder that reads `process.env.BENCH` and sends its port as a message. */
  readonly file: string
  readonly settings: unknown
}

/** Starts a peer: one process, production mode, quiet. */
export const startPeer = async ({ name, file, settings }: PeerProgram): Promise<Server> => {
  const child = spawn(process.execPath, [fileURLToPath(new URL(file, import.meta.url))], {
    env: {
      PATH: process.env.PATH,
      NODE_ENV: 'production',
      GRAPHILE_ENV: 'production',
      BENCH: JSON.stringify(settings),
    },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    serialization: 'advanced',
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', chunk => {
      output = (output + chunk).slice(-2000)
    })
  const { port } = (await nextMessage(child, () => output)) as { port: number }
  return {
    name,
    port,
    pid: child.pid ?? 0,
    ask: question => {
      child.send(question as object)
      return nextMessage(child, () => output)
    },
    stop: () => stopProcess(child),
  }
}
