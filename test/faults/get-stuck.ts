// Loaded by the service's processes before anything else: makes their main thread work, for ever or for long, when a test wants it.
import { writeSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'
import { underWay } from '../../src/base/under-way.ts'

/** In what a request sends. */
const FOR_EVER = 'spin for ever'
/** The watchdog's limit is 5 s. */
const LONG_MS = 8000
const SHORT_MS = 100

const say = (text: string): void => void writeSync(2, `${text} ${process.pid}\n`)

const cpuMs = (): number => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

const spin = (milliseconds: number): void => {
  for (const end = cpuMs() + milliseconds; cpuMs() < end; );
}

const spinForEver = (): never => {
  say('spinning')
  for (;;);
}

/** Each in a turn of its own, as requests that arrive one after the other. */
const workInTurns = (leftMs: number, done: () => void): void => {
  spin(SHORT_MS)
  if (leftMs <= 0) done()
  else setImmediate(workInTurns, leftMs - SHORT_MS, done)
}

/** As when thousands of connections have something to say in the same turn. */
const workInRequests = (): void => {
  for (const end = cpuMs() + LONG_MS; cpuMs() < end; )
    underWay.run({ method: 'GET', route: '/short' }, () => spin(SHORT_MS))
}

if (isMainThread) {
  // A page reads its query with one of them, the search of assistants with the other.
  const { trim, toLowerCase } = String.prototype
  String.prototype.trim = function (this: string) {
    return this.startsWith(FOR_EVER) ? spinForEver() : trim.call(this)
  }
  String.prototype.toLowerCase = function (this: string) {
    return this.startsWith(FOR_EVER) ? spinForEver() : toLowerCase.call(this)
  }
  process.on('SIGUSR2', () => {
    workInTurns(LONG_MS, () => {
      workInRequests()
      say('worked')
    })
  })
}
