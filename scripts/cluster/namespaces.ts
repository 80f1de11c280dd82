// A set-up script → namespaces in which it has run, with processes of their own: all of them end when we do, however we end.
import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'

interface Namespaces {
  /** Words before a command that is to run inside. */
  readonly enter: readonly string[]
  stop(): Promise<void>
}

const KINDS = ['--mount', '--net', '--pid', '--uts', '--ipc']

/** Bash waits for what nobody else waits for. It ends, and with it all others, when its input does. */
const UNTIL_INPUT_ENDS = `
echo ready
while read -r _; do :; done
kill -KILL -1 || true
`

const PATIENCE_MS = 60_000

const childOf = ({ pid }: ChildProcess): string =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')[0] ?? ''

/**
 * @param words what the scripts get as `$1` and so on
 * @param atEnd runs when nothing else runs inside any more, however we ended
 */
export const openNamespaces = async (setUp: string, words: readonly string[] = [], atEnd = ''): Promise<Namespaces> => {
  const flags = [...KINDS, '--fork', '--kill-child', '--mount-proc']
  const script = `set -e\nmount --make-rprivate /\n${setUp}${UNTIL_INPUT_ENDS}${atEnd}`
  const child = spawn('unshare', [...flags, 'bash', '-c', script, 'namespaces', ...words])
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', chunk => (said += chunk))
  const ended = new Promise<void>(resolve => void child.once('exit', () => resolve()))
  for (const deadline = Date.now() + PATIENCE_MS; !/^ready$/m.test(said); await delay(10))
    if (child.exitCode !== null || Date.now() > deadline) throw new Error(`The namespaces are not there:\n${said}`)
  return {
    enter: ['--target', childOf(child), ...KINDS],
    stop: () => {
      child.stdin.end()
      return ended
    },
  }
}
