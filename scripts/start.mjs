// `npm start`: installs what is missing, then starts the service.
import { LOOK_MS, lookAtProcess } from './platform.mjs'
import { runMinaret } from './run-minaret.mjs'

/** npm puts a shell between itself and this program, and sends signals only to the shell. */
const findNpm = () => {
  const parent = lookAtProcess(process.ppid)
  if (parent === undefined || parent.words.includes('npm')) return undefined
  return lookAtProcess(parent.parent)?.words.includes('npm') ? { shell: process.ppid, npm: parent.parent } : undefined
}

const child = runMinaret(['serve', ...process.argv.slice(2)])
const above = findNpm()
const orphaned = () => process.ppid !== above.shell || lookAtProcess(above.shell)?.parent !== above.npm
if (above !== undefined) setInterval(() => orphaned() && child.kill('SIGTERM'), LOOK_MS).unref()
