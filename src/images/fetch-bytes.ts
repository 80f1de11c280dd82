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
  if (!isWebAddress(text)) throw new ImageRefused('The address is not an https address.')
  const url = new URL(text)
  if (url.port !== '') throw new ImageRefused('The address names a port.')
  if (isIP(url.hostname.replace(/^\[|\]$/g, '')) !== 0) throw new ImageRefused('The address names no host.')
  return url
}

/** One that is not public among several is enough: the name is then in the hands of somebody who tries. */
const choose = async ({ hostname }: URL, { resolve, mayReach }: Dial): Promise<Resolved> => {
  const found = await resolve(hostname).catch(() => [])
  const [first] = found
  if (first === undefined) throw new ImageRefused('The host was not found.', { mayPass: true })
  if (!found.every(({ address }) => mayReach(address)))
    throw new ImageRefused('The host is not on the public internet.')
  return first
}

/** Whatever name the connection asks for, it gets the address that was checked. */
const pinnedTo =
  ({ address, family }: Resolved): LookupFunction =>
  (_host, options, callback) =>
    options.all === true ? callback(null, [{ address, family }]) : callback(null, address, family)

const download = (url: URL, pinned: Resolved, { connection }: Dial, signal: AbortSignal): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const headers = { accept: 'image/png, image/jpeg, image/webp', 'user-agent': 'Minaret' }
    const options = { ...connection, agent: false, lookup: pinnedTo(pinned), signal, headers }
    const asked = request(url, options, response => {
      const pieces: Buffer[] = []
      let size = 0
      const refuse = (reason: string): void => void asked.destroy(new ImageRefused(reason))
      response.on('error', reject)
      response.on('data', (piece: Buffer) => {
        size += piece.length
        if (size > MOST_BYTES) refuse('The image is larger than 512 KB.')
        else pieces.push(piece)
      })
      response.on('end', () => resolve(Buffer.concat(pieces)))
      if (response.statusCode !== 200)
        refuse(`The address answered with ${response.statusCode}; redirects are not followed.`)
      else if (Number(response.headers['content-length'] ?? 0) > MOST_BYTES) refuse('The image is larger than 512 KB.')
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
    throw new ImageRefused(signal.aborted ? 'The host took too long.' : 'The host could not be reached.', {
      mayPass: true,
    })
  }
}
