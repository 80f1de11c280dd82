// One keep-alive connection: sends a request, waits for the response, sends the next. No pipelining.
import { connect } from 'node:net'
import type { Job } from './job.ts'
import { type Answer, answerReader, bodyOf } from './response.ts'
import type { NextRequest } from './source.ts'

export interface Watch {
  /** Whether another request may be sent now. */
  mayGoOn(): boolean
  answered(milliseconds: number, answer: Answer): void
  failed(words: string): void
}

/** All connections share one read buffer: each read is processed before the next. */
const memory = Buffer.allocUnsafeSlow(256 * 1024)

/** Resolves when the response to the last request has arrived. */
export const runConnection = (job: Job, index: number, next: NextRequest, watch: Watch): Promise<void> =>
  new Promise(resolve => {
    const read = answerReader()
    const received = (count: number): boolean => {
      const answer = read(memory.subarray(0, count))
      if (answer === undefined) return true
      last = answer
      watch.answered(performance.now() - sentAt, answer)
      send()
      return true
    }
    const onread = { buffer: memory, callback: received }
    const socket = connect({ host: job.host, port: job.port, noDelay: true, onread })
    let sentAt = 0
    let last: Answer | undefined
    let finished = false
    const finish = (): void => {
      finished = true
      socket.destroy()
      resolve()
    }
    const send = (): void => {
      const request = watch.mayGoOn() ? next(index, () => (last === undefined ? '' : bodyOf(last))) : undefined
      if (request === undefined) finish()
      else {
        sentAt = performance.now()
        socket.write(request)
      }
    }
    socket.on('connect', send)
    socket.on('error', error => {
      if (!finished) watch.failed(error.message)
    })
    socket.on('close', () => {
      if (!finished) watch.failed('the server closed the connection')
      finish()
    })
  })
