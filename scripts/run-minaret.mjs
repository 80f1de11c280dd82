// Runs the command line on the pinned runtime as if it were this process: same terminal, signals and exit status.
import { spawn } from 'node:child_process'
import { ensureInstalled, projectFolder, runtimePath } from './setup.mjs'

export const runMinaret = args => {
  ensureInstalled()
  // The IPC channel tells the child when this process is gone, so that it is never left running.
  const child = spawn(runtimePath(), [`${projectFolder}src/main.ts`, ...args], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    // Compiles once, not at every start.
    env: { NODE_COMPILE_CACHE: `${projectFolder}node_modules/.cache/minaret`, ...process.env },
  })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('exit', (code, signal) => process.exit(signal === null ? code : 1))
  return child
}
