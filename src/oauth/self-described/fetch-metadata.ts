// The address of a Client ID Metadata Document → the document, and for how long it need not be read again.
import { FetchRefused } from '../../outbound/fetch-refused.ts'
import { type Dial, type Fetched, guardedFetch, publicDial } from '../../outbound/guarded-fetch.ts'
import { invalidRequest } from '../oauth-fault.ts'
import type { MetadataAddress } from './metadata-address.ts'
import { type DescribedApp, readMetadataDocument } from './metadata-document.ts'

const MOST_BYTES = 5 * 1024
const TIMEOUT_MS = 2000

const LEAST_SECONDS = 300
const MOST_SECONDS = 24 * 3600
const USUAL_SECONDS = 3600

export interface FetchedApp extends DescribedApp {
  readonly freshSeconds: number
}

/** RFC 9111 section 5.2.2, within bounds: neither asked all the time, nor trusted for ever. */
const freshSecondsOf = (cacheControl = ''): number => {
  if (/\bno-(store|cache)\b/i.test(cacheControl)) return LEAST_SECONDS
  const [, age] = /\bmax-age=(\d{1,9})\b/i.exec(cacheControl) ?? []
  return age === undefined ? USUAL_SECONDS : Math.min(Math.max(Number(age), LEAST_SECONDS), MOST_SECONDS)
}

/** What the caller learns is the same for every address that may not be reached: the service is no way to look around. */
const explain = (error: unknown): unknown =>
  error instanceof FetchRefused
    ? invalidRequest('The document at the client_id could not be read from the public internet.', error.reason)
    : error

const isJson = ({ headers }: Fetched): boolean =>
  /^application\/(json|[\w.+-]+\+json)\s*(;|$)/i.test(headers['content-type'] ?? '')

/** @throws {Fault} `invalid_request` */
export const fetchMetadata = async (at: MetadataAddress, dial: Dial = publicDial): Promise<FetchedApp> => {
  const wanted = {
    address: at.address,
    purpose: 'client_metadata',
    headers: { accept: 'application/json' },
    mostBytes: MOST_BYTES,
  }
  const fetched = await guardedFetch(wanted, { ...dial, timeoutMs: dial.timeoutMs ?? TIMEOUT_MS }).catch(error => {
    throw explain(error)
  })
  if (!isJson(fetched)) throw invalidRequest('The document at the client_id is not application/json.')
  return { ...readMetadataDocument(fetched.bytes, at), freshSeconds: freshSecondsOf(fetched.headers['cache-control']) }
}
