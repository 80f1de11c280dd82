// Requests that were answered → lines of the log, written together a few times a second: each by itself would cost as much as
// reading a row.
import { type DestinationStream, symbols } from 'pino'
import type { Logger } from '../base/log.ts'
import type { Answered } from './request-meter.ts'

export interface AccessLog {
  of(listener: string): (answered: Answered) => void
  /** Writes what waits. */
  flush(): void
}

const FLUSH_MS = 200
const LONGEST_BATCH = 65_536
/** Of a line that informs, as the log numbers them. */
const INFO = 30

/** Neither path nor query string: both may have a token in them. All the rest is our own, so nothing has to be redacted. */
const lineOf = (listener: string, { id, method, route, status, ms }: Answered): string => {
  const access = { listener, method, route, status, ms: Math.round(ms * 10) / 10, requestId: id }
  return `${JSON.stringify({ level: INFO, time: Date.now(), access, msg: 'request' })}\n`
}

export const createAccessLog = (log: Logger): AccessLog => {
  const stream = (log as unknown as Readonly<Record<symbol, DestinationStream>>)[symbols.streamSym]
  const isWanted = log.isLevelEnabled('info')
  let waiting = ''
  let timer: NodeJS.Timeout | undefined
  const flush = (): void => {
    clearTimeout(timer)
    timer = undefined
    const lines = waiting
    waiting = ''
    if (lines !== '') stream?.write(lines)
  }
  return {
    of: listener => answered => {
      if (!isWanted) return
      waiting += lineOf(listener, answered)
      if (waiting.length >= LONGEST_BATCH) flush()
      else timer ??= setTimeout(flush, FLUSH_MS).unref()
    },
    flush,
  }
}
