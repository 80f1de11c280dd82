// The server process itself: launched apart from this one, found again, stopped in order.
import { spawn } from 'node:child_process'
import { closeSync, existsSync, openSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Home } from './home.ts'
import { childOptions, give, type Plan } from './plan.ts'
import { StartFault } from './start-fault.ts'

/** Only names the socket's file: nothing listens on TCP. */
export const SOCKET_NUMBER = 54_329
const STOP_DEADLINE_MS = 20_000

const baseSettings: Readonly<Record<string, string>> = {
  listen_addresses: '',
  port: String(SOCKET_NUMBER),
  unix_socket_permissions: '0700',
  timezone: 'UTC',
  log_timezone: 'UTC',
  max_connections: '200',
  shared_buffers: '128MB',
  jit: 'off',
}

/** An id alone proves nothing: it may belong to another program since a restart, or to a process that nobody buried. */
const serves = (pid: number, home: Home): boolean => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').includes(home.data)
  } catch {
    return false
  }
}

/** From the file that PostgreSQL itself keeps. */
export const runningServer = (home: Home): number | undefined => {
  try {
    const pid = Number(readFileSync(join(home.data, 'postmaster.pid'), 'utf8').split('\n')[0])
    return serves(pid, home) ? pid : undefined
  } catch {
    return undefined
  }
}

/** Every process of a server works in its data directory. */
const processesIn = (home: Home): number => {
  const worksThere = (entry: string): boolean => {
    try {
      return readlinkSync(`/proc/${entry}/cwd`) === home.data
    } catch {
      return false
    }
  }
  return readdirSync('/proc').filter(entry => /^\d+$/.test(entry) && worksThere(entry)).length
}

/**
 * The lock of a killed server names a process that is dead but perhaps not buried, or an id that now belongs to another
 * program; PostgreSQL would then refuse to start. It is removed once no session of that server is left.
 */
export const clearStaleLock = async (home: Home): Promise<void> => {
  const lock = join(home.data, 'postmaster.pid')
  const deadline = Date.now() + STOP_DEADLINE_MS
  while (existsSync(lock) && runningServer(home) === undefined) {
    if (processesIn(home) === 0) {
      for (const stale of [join(home.sockets, `.s.PGSQL.${SOCKET_NUMBER}.lock`), lock]) rmSync(stale, { force: true })
    }
    if (Date.now() > deadline)
      throw new StartFault(`Sessions of an earlier PostgreSQL still use ${home.data}. End them, and start again.`)
    await delay(20)
  }
}

/** Detached, so that Ctrl-C at the terminal reaches Minaret first, which then stops it in order. Says whether it has ended. */
export const launch = (plan: Plan): (() => boolean) => {
  const { home, account, programs, settings } = plan
  const log = openSync(home.log, 'a', 0o600)
  give(home.log, account)
  const flags = Object.entries({ ...baseSettings, unix_socket_directories: home.sockets, ...settings }).flatMap(
    ([name, value]) => ['-c', `${name}=${value}`],
  )
  const child = spawn(join(programs, 'postgres'), ['-D', home.data, ...flags], {
    ...childOptions(plan),
    detached: true,
    stdio: ['ignore', log, log],
  })
  let ended = false
  const end = (): void => {
    ended = true
  }
  child.once('error', end).once('exit', end)
  child.unref()
  closeSync(log)
  return () => ended
}

/** A fast shutdown: sessions are ended; everything acknowledged is on disk already. */
export const stopServer = async (home: Home): Promise<void> => {
  const pid = runningServer(home)
  if (pid === undefined) return
  process.kill(pid, 'SIGINT')
  const deadline = Date.now() + STOP_DEADLINE_MS
  while (serves(pid, home)) {
    if (Date.now() > deadline) process.kill(pid, 'SIGQUIT')
    await delay(10)
  }
}
