// CPU time of processes, from Linux's /proc, and where a profile of the test files goes.
import { appendFileSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { dirname } from 'node:path'

/** What `getconf CLK_TCK` says on every Linux that Node runs on. */
const TICKS_PER_SECOND = 100

interface Times {
  readonly parent: number
  /** In seconds. */
  readonly own: number
  /** Of children that have ended and were waited for, and of theirs. */
  readonly children: number
}

/** Fields of proc(5)'s `stat`, counted after the process's name, which may contain spaces. */
const timesOf = (pid: number | 'self'): Times => {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = text
    .slice(text.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number)
  const [parent = 0, user = 0, system = 0, childUser = 0, childSystem = 0] = [1, 11, 12, 13, 14].map(n => fields[n])
  return { parent, own: (user + system) / TICKS_PER_SECOND, children: (childUser + childSystem) / TICKS_PER_SECOND }
}

/** Of this process and all it has waited for. Undefined where there is no /proc. */
export const cpuSeconds = (): number | undefined => {
  try {
    const { own, children } = timesOf('self')
    return own + children
  } catch {
    return undefined
  }
}

const attempt = <T>(read: () => T): T | undefined => {
  try {
    return read()
  } catch {
    return undefined
  }
}

const running = (): readonly number[] =>
  (attempt(() => readdirSync('/proc')) ?? []).filter(name => /^\d+$/.test(name)).map(Number)

/** Of a PostgreSQL whose files are in the folder: its processes run there. Backends that ended count with the postmaster. */
const clusterSeconds = (folder: string): number => {
  const inside = running().filter(pid => attempt(() => readlinkSync(`/proc/${pid}/cwd`))?.startsWith(folder))
  const all = inside.map(pid => ({ pid, ...attempt(() => timesOf(pid)) }))
  const isBackend = ({ parent }: { parent?: number }): boolean => all.some(({ pid }) => pid === parent)
  return all.reduce((sum, process) => {
    const { own = 0, children = 0 } = process
    return sum + own + (isBackend(process) ? 0 : children)
  }, 0)
}

/** Of this process and all that it started, the browser for instance, whether they have ended or not. */
const familySeconds = (): number => {
  const all = new Map(running().map(pid => [pid, attempt(() => timesOf(pid))]))
  const isFamily = (pid: number): boolean => {
    if (pid === process.pid) return true
    const { parent = 0 } = all.get(pid) ?? {}
    return parent > 1 && isFamily(parent)
  }
  return [...all].reduce((sum, [pid, { own, children } = { own: 0, children: 0 }]) => {
    return isFamily(pid) ? sum + own + children : sum
  }, 0)
}

interface Spent {
  readonly processes: number
  readonly cluster: number
  readonly wall: number
}

const spent = (): Spent => {
  const { host = '/nowhere' } = JSON.parse(process.env.MINARET_TEST_CLUSTER ?? '{}') as { host?: string }
  return { processes: familySeconds(), cluster: clusterSeconds(dirname(host)), wall: performance.now() / 1000 }
}

export interface Measured extends Spent {
  readonly file: string
}

/** Starts measuring, if the run is a profile; the returned function adds what was spent since to the profile. */
export const measureFile = (file: string): (() => void) => {
  const profile = process.env.MINARET_TEST_PROFILE
  if (profile === undefined) return () => undefined
  const start = spent()
  return () => {
    const end = spent()
    const measured: Measured = {
      file,
      processes: end.processes - start.processes,
      cluster: end.cluster - start.cluster,
      wall: end.wall - start.wall,
    }
    appendFileSync(profile, `${JSON.stringify(measured)}\n`)
  }
}
