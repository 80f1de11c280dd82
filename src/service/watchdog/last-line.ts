// What a stuck main thread was doing → the last line of the log of this process.
import { write } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { createLogger, type LogLevel, prettyLine } from '../../base/log.ts'
import type { Testimony } from './witness.ts'

interface LastWords {
  /** Undefined if it could not be asked. */
  readonly testimony: Testimony | undefined
  readonly logLevel: LogLevel
  readonly isTerminal: boolean
  readonly seconds: number
}

const STANDARD_ERROR = 2
const AGAIN_MS = 10

const nameOf = (testimony: Testimony | undefined): string => {
  if (testimony === undefined) return 'in a native function'
  const { request } = testimony
  if (request === undefined) return 'outside of any request'
  const inside = [request.tool, request.operation].filter(word => word !== undefined)
  return `in ${request.method} ${request.route}${inside.length === 0 ? '' : ` (${inside.join(', ')})`}`
}

/** Not through the main thread, as streams of threads are. Not synchronously: nobody might read. */
const writeOut = async (text: string): Promise<void> => {
  const { promise, resolve } = Promise.withResolvers<NodeJS.ErrnoException | null>()
  write(STANDARD_ERROR, text, resolve)
  if ((await promise)?.code !== 'EAGAIN') return
  await delay(AGAIN_MS)
  await writeOut(text)
}

export const lastLine = async ({ testimony, logLevel, isTerminal, seconds }: LastWords): Promise<void> => {
  let text = ''
  const destination = {
    write: (line: string) => {
      text += isTerminal ? prettyLine(line) : line
    },
  }
  const stuck = { cpuSeconds: seconds, request: testimony?.request, calls: testimony?.calls }
  const words = `no turn of the event loop in ${seconds} s of CPU time, ${nameOf(testimony)}: this process ends`
  createLogger(logLevel, destination).fatal({ stuck }, words)
  await writeOut(text)
}
