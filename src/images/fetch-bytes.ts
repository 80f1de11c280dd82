// The address of an image → its bytes, without being led to our own network: the name is resolved once, every address it has
// must be public, and the connection goes to the one that was checked. No redirects, few bytes, little time.
import { lookup } from 'node:dns/promises'
import { type RequestOptions, request } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { isWebAddress } from '../base/web-address.ts'
import { isPublicAddress } from './public-address.ts'
import { ImageRefused } from './refused.ts'

export interface Resolved {
  readonly address: string
  readonly family: number
}

/** How the outside world is reached; tests have their own. */
export interface Dial {
  readonly resolve: (host: string) => Promise<readonly Resolved[]>
  readonly mayReach: (address: string) => boolean
  readonly timeoutMs: number
  readonly connection: Pick<RequestOptions, 'port' | 'ca'>
}

const MOST_BYTES = 512 * 1024

export const publicDial: Dial = {
  resolve: host => lookup(host, { all: true }),
  mayReach: isPublicAddress,
  timeoutMs: 10_000,
  connection: {},
}

const checkAddress = (text: string): URL => {
  if (!isWebAddress(text)) throw new ImageRefused('not_https')
  const url = new URL(text)
  if (url.port !== '') throw new ImageRefused('port')
  if (isIP(url.hostname.replace(/^\[|\]$/g, '')) !== 0) throw new ImageRefused('no_host')
  return url
}

/** One that is not public among several is enough: the name is then in the hands of somebody who tries. */
const choose = async ({ hostname }: URL, { resolve, mayReach }: Dial): Promise<Resolved> => {
  const found = await resolve(hostname).catch(() => [])
  const [first] = found
  if (first === undefined) throw new ImageRefused('host_not_found', { mayPass: true })
  if (!found.every(({ address }) => mayReach(address))) throw new ImageRefused('not_public')
  return first
}

/** Whatever name the connection asks for, it gets the address that was checked. */
const pinnedTo =
  ({ address, family }: Resolved): LookupFunction =>
  (_host, options, callback) =>
    options.all === true ? callback(null, [{ address, family }]) : callback(null, address, family)

/** Those of servers that are overloaded, restarting or counting requests. */
const passing = [408, 425, 429, 500, 502, 503, 504]

/** Redirects are not followed: their target would have to be checked like the first address. */
const refusalOf = (status: number): ImageRefused =>
  status >= 300 && status < 400
    ? new ImageRefused('redirect')
    : new ImageRefused('status', { status, mayPass: passing.includes(status) })

const download = (url: URL, pinned: Resolved, { connection }: Dial, signal: AbortSignal): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const headers = { accept: 'image/png, image/jpeg, image/webp', 'user-agent': 'Minaret' }
    const options = { ...connection, agent: false, lookup: pinnedTo(pinned), signal, headers }
    const asked = request(url, options, response => {
      const pieces: Buffer[] = []
      let size = 0
      const refuse = (refused: ImageRefused): void => void asked.destroy(refused)
      response.on('error', reject)
      response.on('data', (piece: Buffer) => {
        size += piece.length
        if (size > MOST_BYTES) refuse(new ImageRefused('too_many_bytes'))
        else pieces.push(piece)
      })
      response.on('end', () => resolve(Buffer.concat(pieces)))
      if (response.statusCode !== 200) refuse(refusalOf(response.statusCode ?? 0))
      else if (Number(response.headers['content-length'] ?? 0) > MOST_BYTES) refuse(new ImageRefused('too_many_bytes'))
    })
    asked.on('error', reject)
    asked.end()
  })

const inTime = async <T>(work: Promise<T>, signal: AbortSignal): Promise<T> => {
  const late = Promise.withResolvers<never>()
  const onAbort = (): void => late.reject(signal.reason)
  signal.addEventListener('abort', onAbort, { once: true })
  return Promise.race([work, late.promise]).finally(() => signal.removeEventListener('abort', onAbort))
}

/** @throws ImageRefused */
export const fetchBytes = async (address: string, dial: Dial = publicDial): Promise<Buffer> => {
  const url = checkAddress(address)
  const signal = AbortSignal.timeout(dial.timeoutMs)
  try {
    const pinned = await inTime(choose(url, dial), signal)
    return await inTime(download(url, pinned, dial, signal), signal)
  } catch (error) {
    if (error instanceof ImageRefused) throw error
    throw new ImageRefused(signal.aborted ? 'too_slow' : 'unreachable', { mayPass: true })
  }
}
