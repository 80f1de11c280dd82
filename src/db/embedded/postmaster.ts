// The server process: launched detached, found again, shut down cleanly.
import { spawn } from 'node:child_process'
import { closeSync, existsSync, openSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { thisPlatform } from '../../platform/this-platform.ts'
import type { Home } from './home.ts'
import { childOptions, give, type Plan } from './plan.ts'
import { StartFault } from './start-fault.ts'

/** Only part of the socket's file name: nothing listens on TCP. */
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

/** A pid alone proves nothing: it may have been reused since a restart, or belong to a zombie. */
const serves = (pid: number, home: Home): boolean => thisPlatform.hasArgument(pid, home.data)

/** From PostgreSQL's own pid file. */
export const runningServer = (home: Home): number | undefined => {
  try {
    const pid = Number(readFileSync(join(home.data, 'postmaster.pid'), 'utf8').split('\n')[0])
    return serves(pid, home) ? pid : undefined
  } catch {
    return undefined
  }
}

/**
 * The lock file of a killed server may name a zombie, or a pid that now belongs to another program; PostgreSQL would
 * then refuse to start. It is removed once no session of that server is left.
 */
export const clearStaleLock = async (home: Home): Promise<void> => {
  const lock = join(home.data, 'postmaster.pid')
  const deadline = Date.now() + STOP_DEADLINE_MS
  while (existsSync(lock) && runningServer(home) === undefined) {
    // Every process of a server has the data directory as its working directory.
    if (thisPlatform.processesIn(home.data).length === 0) {
      for (const stale of [join(home.sockets, `.s.PGSQL.${SOCKET_NUMBER}.lock`), lock]) rmSync(stale, { force: true })
    }
    if (Date.now() > deadline)
      throw new StartFault(`Sessions of an earlier PostgreSQL still use ${home.data}. End them, and start again.`)
    await delay(20)
  }
}

/** Detached, so that Ctrl-C reaches only Minaret, which then stops it cleanly. Returns whether it has exited. */
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

/** A fast shutdown: ends sessions; everything acknowledged is already on disk. */
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
