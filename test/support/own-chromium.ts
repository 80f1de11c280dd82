// A Chromium of its own, with a profile that outlives it: it can be killed as by a power cut, and started again.
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, chromium, type Page } from 'playwright-core'
import { browserPath, launchArguments } from './browser.ts'
import { within } from './oauth.ts'

export interface OwnChromium {
  readonly page: Page
  /** At once, and everything that belongs to it: nothing is saved or closed any more. */
  kill(): Promise<void>
}

/** Nobody answers there, so nothing is reached. */
const withoutNetwork = (reachable: readonly string[]): string[] => [
  '--proxy-server=127.0.0.1:1',
  `--proxy-bypass-list=${['<-loopback>', ...reachable].join(';')}`,
]

export interface Network {
  readonly offline?: boolean
  /** Hosts with their ports that answer all the same. */
  readonly reachable?: readonly string[]
}

/** Undefined until the file was written: the port, and a path after it. */
const portIn = (profile: string): string | undefined => {
  try {
    return /^(\d+)\n\//.exec(readFileSync(join(profile, 'DevToolsActivePort'), 'utf8'))?.[1]
  } catch {
    return undefined
  }
}

const ended = (child: ChildProcess): Promise<void> =>
  child.exitCode !== null || child.signalCode !== null
    ? Promise.resolve()
    : new Promise(resolve => child.once('exit', () => resolve()))

const connect = async (profile: string): Promise<Browser> => {
  let port: string | undefined
  await within(60_000, 'Chromium listens', async () => {
    port = portIn(profile)
    return port !== undefined
  })
  return chromium.connectOverCDP(`http://127.0.0.1:${port}`, { timeout: 60_000 })
}

export const startChromium = async (
  profile: string,
  { offline = false, reachable = [] }: Network = {},
): Promise<OwnChromium> => {
  if (browserPath === undefined) throw new Error('There is no Chromium.')
  rmSync(join(profile, 'DevToolsActivePort'), { force: true })
  const network = offline ? withoutNetwork(reachable) : []
  const own = ['--headless=new', '--remote-debugging-port=0', `--user-data-dir=${profile}`, 'about:blank']
  // A group of its own, so that all of its processes end together.
  const child = spawn(browserPath, [...launchArguments, ...network, ...own], { detached: true, stdio: 'ignore' })
  const kill = async (): Promise<void> => {
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGKILL')
    await ended(child)
  }
  try {
    const browser = await connect(profile)
    const [context] = browser.contexts()
    if (context === undefined) throw new Error('Chromium has no context.')
    context.setDefaultTimeout(90_000)
    return { page: context.pages()[0] ?? (await context.newPage()), kill }
  } catch (error) {
    await kill()
    throw error
  }
}

/** A folder for profiles, removed at the end. */
export const inProfile = async <T>(work: (profile: string) => Promise<T>): Promise<T> => {
  const profile = mkdtempSync(join(tmpdir(), 'minaret-profile-'))
  try {
    return await work(profile)
  } finally {
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 })
  }
}
