// A body → posted to an address that somebody entered, without being led to our own network. The status is the answer, whichever
// it is: a redirect is never followed, and of the response only an excerpt is read.
import { type ClientRequest, request as plainRequest, type RequestOptions } from 'node:http'
import { request as tlsRequest } from 'node:https'
import type { OutboundSpan } from '../tracing/tracer.ts'
import { FetchRefused } from './fetch-refused.ts'
import { checkAddress, chooseAddress, type Dial, inTime, pinnedTo, traceHeaders } from './way.ts'

export interface Posting {
  readonly address: string
  /** What it is, in a word: `webhook`. */
  readonly purpose: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** How much of the response is kept; the rest is not read. */
  readonly excerptBytes: number
  /** Whether the machine itself may be reached, over plain http: for development. */
  readonly loopback: boolean
  /** Aborted when the process stops. */
  readonly stopping: AbortSignal
}

export interface Posted {
  readonly status: number
  readonly excerpt: string
}

const CONNECT_MS = 5000
/** As long as Standard Webhooks recommends. */
const TIMEOUT_MS = 15_000

const loopbackAddress =
  /^http:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?(?:[/?][!#$%&'()*+,./0-9:;=?@A-Z[\]_a-z~-]*)?$/

/** http on this machine, written so that every program reads it alike. */
const isLoopbackAddress = (text: string): boolean =>
  text.length <= 2000 && loopbackAddress.test(text) && URL.canParse(text)

/** @throws FetchRefused unless something may be posted there, as far as the text tells. */
export const checkPostAddress = (text: string, loopback: boolean): URL =>
  loopback && isLoopbackAddress(text) ? new URL(text) : checkAddress(text)

const open = async (
  { address, headers, body, loopback }: Posting,
  dial: Dial,
  { signal, span }: { readonly signal: AbortSignal; readonly span: OutboundSpan | undefined },
): Promise<ClientRequest> => {
  const url = checkPostAddress(address, loopback)
  const options: RequestOptions = {
    method: 'POST',
    agent: false,
    signal,
    headers: { 'user-agent': 'Minaret', ...headers, ...traceHeaders(span), 'content-length': Buffer.byteLength(body) },
  }
  if (url.protocol === 'http:') return plainRequest(url, options)
  const pinned = await inTime(chooseAddress(url, dial), signal)
  return tlsRequest(url, { ...dial.connection, ...options, lookup: pinnedTo(pinned) })
}

/** A host that does not even accept the connection is given up sooner than one that thinks. */
const limitConnecting = (asked: ClientRequest): void => {
  const timer = setTimeout(() => asked.destroy(new FetchRefused('unreachable', { mayPass: true })), CONNECT_MS)
  const connected = (): void => clearTimeout(timer)
  asked.on('socket', socket => socket.once('secureConnect', connected).once('connect', connected))
  asked.on('close', connected)
}

/** Once the status is known, nothing that the body does changes it. */
const answered = (asked: ClientRequest, { body, excerptBytes }: Posting): Promise<Posted> =>
  new Promise((resolve, reject) => {
    // However it ends, it ends: whoever waits for it holds up others.
    const unanswered = (): void => reject(new FetchRefused('unreachable', { mayPass: true }))
    asked.on('error', reject).on('close', unanswered)
    asked.on('response', response => {
      asked.off('close', unanswered)
      const pieces: Buffer[] = []
      let size = 0
      const finish = (): void => {
        const bytes = Buffer.concat(pieces).subarray(0, excerptBytes)
        resolve({ status: response.statusCode ?? 0, excerpt: bytes.toString().replaceAll('\0', '') })
        asked.destroy()
      }
      response.on('data', (piece: Buffer) => {
        pieces.push(piece)
        size += piece.length
        if (size >= excerptBytes) finish()
      })
      for (const event of ['end', 'error', 'close']) response.on(event, finish)
    })
    // 101 comes as an event of its own, and Node closes the connection without a word if nobody listens.
    asked.on('upgrade', ({ statusCode = 0 }, socket) => {
      resolve({ status: statusCode, excerpt: '' })
      socket.destroy()
    })
    asked.end(body)
  })

/** One deadline for all of it. @throws FetchRefused if there was no answer; the reason of `stopping` if that came first. */
export const guardedPost = async (posting: Posting, dial: Dial): Promise<Posted> => {
  const late = AbortSignal.timeout(dial.timeoutMs ?? TIMEOUT_MS)
  const span = dial.trace?.({ method: 'POST', purpose: posting.purpose })
  let status: number | undefined
  try {
    const asked = await open(posting, dial, { signal: AbortSignal.any([late, posting.stopping]), span })
    limitConnecting(asked)
    const posted = await answered(asked, posting)
    status = posted.status
    return posted
  } catch (error) {
    posting.stopping.throwIfAborted()
    if (error instanceof FetchRefused) throw error
    throw new FetchRefused(late.aborted ? 'too_slow' : 'unreachable', { mayPass: true })
  } finally {
    span?.end(status)
  }
}
