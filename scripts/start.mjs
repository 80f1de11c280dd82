// `npm start`: installs what is missing, then starts the service.
import { readFileSync } from 'node:fs'
import { runMinaret } from './run-minaret.mjs'

const LOOK_MS = 300

/** @returns a process's parent and command line, or undefined if unknown. */
const look = pid => {
  try {
    const parent = Number(
      readFileSync(`/proc/${pid}/stat`, 'utf8')
        .replace(/^.*\) /s, '')
        .split(' ')[1],
    )
    return { parent, words: readFileSync(`/proc/${pid}/cmdline`, 'utf8') }
  } catch {
    return undefined
  }
}

/** npm puts a shell between itself and this program, and sends signals only to the shell. */
const findNpm = () => {
  const parent = look(process.ppid)
  if (parent === undefined || parent.words.includes('npm')) return undefined
  return look(parent.parent)?.words.includes('npm') ? { shell: process.ppid, npm: parent.parent } : undefined
}

const child = runMinaret(['serve', ...process.argv.slice(2)])
const above = findNpm()
const orphaned = () => process.ppid !== above.shell || look(above.shell)?.parent !== above.npm
if (above !== undefined) setInterval(() => orphaned() && child.kill('SIGTERM'), LOOK_MS).unref()
