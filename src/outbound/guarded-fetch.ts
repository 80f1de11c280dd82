// An address that somebody entered → what is there, without being led to our own network: the name is resolved once, every
// address it has must be public, and the connection goes to the one that was checked. Few bytes, little time; a redirect is
// followed only where it is allowed, and its target is checked like the first address.
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { request } from 'node:https'
import { FetchRefused } from './fetch-refused.ts'
import {
  checkAddress,
  chooseAddress,
  type Dial,
  inTime,
  pinnedTo,
  publicDial,
  type Resolved,
  traceHeaders,
} from './way.ts'

export { type Dial, publicDial, type Resolved }

export interface Wanted {
  readonly address: string
  /** What it is, in a word: `image`. */
  readonly purpose: string
  readonly headers: Readonly<Record<string, string>>
  readonly mostBytes: number
  /** How many redirects are followed. */
  readonly redirects?: number
  /** Statuses besides 200 that are answers: 304 to a conditional request. */
  readonly statuses?: readonly number[]
}

export interface Fetched {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly bytes: Buffer
}

/** Those of servers that are overloaded, restarting or counting requests. */
const passing = [408, 425, 429, 500, 502, 503, 504]
const isRedirect = (status: number): boolean => status >= 300 && status < 400 && status !== 304

const refusalOf = ({ statusCode: status = 0, headers }: IncomingMessage, wanted: Wanted): FetchRefused | undefined => {
  const { statuses = [], redirects = 0 } = wanted
  if (isRedirect(status))
    return redirects > 0 && headers.location !== undefined ? undefined : new FetchRefused('redirect')
  if (status !== 200 && !statuses.includes(status))
    return new FetchRefused('status', { status, mayPass: passing.includes(status) })
  return Number(headers['content-length'] ?? 0) > wanted.mostBytes ? new FetchRefused('too_many_bytes') : undefined
}

interface Way {
  readonly url: URL
  readonly pinned: Resolved
  readonly dial: Dial
  readonly signal: AbortSignal
}

const download = (wanted: Wanted, { url, pinned, dial: { connection, trace }, signal }: Way): Promise<Fetched> => {
  const span = trace?.({ method: 'GET', purpose: wanted.purpose })
  let status: number | undefined
  return new Promise<Fetched>((resolve, reject) => {
    const headers = { 'user-agent': 'Minaret', ...wanted.headers, ...traceHeaders(span) }
    const options = { ...connection, agent: false, lookup: pinnedTo(pinned), signal, headers }
    const asked = request(url, options, response => {
      status = response.statusCode
      const pieces: Buffer[] = []
      let size = 0
      const refuse = (refused: FetchRefused): void => void asked.destroy(refused)
      response.on('error', reject)
      response.on('data', (piece: Buffer) => {
        size += piece.length
        if (size > wanted.mostBytes) refuse(new FetchRefused('too_many_bytes'))
        else pieces.push(piece)
      })
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, bytes: Buffer.concat(pieces) }),
      )
      const refused = refusalOf(response, wanted)
      if (refused !== undefined) refuse(refused)
    })
    asked.on('error', reject)
    asked.end()
  }).finally(() => span?.end(status))
}

const follow = async (wanted: Wanted, dial: Dial, signal: AbortSignal): Promise<Fetched> => {
  const url = checkAddress(wanted.address)
  const pinned = await inTime(chooseAddress(url, dial), signal)
  const fetched = await inTime(download(wanted, { url, pinned, dial, signal }), signal)
  if (!isRedirect(fetched.status)) return fetched
  const target = fetched.headers.location ?? ''
  if (!URL.canParse(target, url)) throw new FetchRefused('redirect')
  return follow({ ...wanted, address: new URL(target, url).href, redirects: (wanted.redirects ?? 0) - 1 }, dial, signal)
}

const TIMEOUT_MS = 10_000

/** One deadline for all of it, redirects included. @throws FetchRefused */
export const guardedFetch = async (wanted: Wanted, dial: Dial = publicDial): Promise<Fetched> => {
  const signal = AbortSignal.timeout(dial.timeoutMs ?? TIMEOUT_MS)
  try {
    return await follow(wanted, dial, signal)
  } catch (error) {
    if (error instanceof FetchRefused) throw error
    throw new FetchRefused(signal.aborted ? 'too_slow' : 'unreachable', { mayPass: true })
  }
}
