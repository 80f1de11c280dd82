// The address of a published sheet or calendar → what is there, if it has changed.
import { type Dial, guardedFetch } from '../outbound/guarded-fetch.ts'

const MOST_BYTES = 5 * 1024 * 1024
/** Published spreadsheets redirect to the host that has the file. */
const REDIRECTS = 5

export interface Validators {
  readonly etag: string | null
  readonly lastModified: string | null
}

export type FetchedSheet = ({ readonly kind: 'same' } | { readonly kind: 'fetched'; readonly bytes: Buffer }) &
  Validators

const textOf = (value: string | undefined): string | null => (value === undefined ? null : value.slice(0, 500))

/** @throws FetchRefused */
export const fetchSheet = async (address: string, known: Validators, dial?: Dial): Promise<FetchedSheet> => {
  const headers = {
    accept:
      'text/csv, text/calendar, application/vnd.openxmlformats-officedocument.spreadsheetml.sheet, text/plain;q=0.5',
    ...(known.etag === null ? {} : { 'if-none-match': known.etag }),
    ...(known.lastModified === null ? {} : { 'if-modified-since': known.lastModified }),
  }
  const fetched = await guardedFetch(
    { address, purpose: 'timetable', headers, mostBytes: MOST_BYTES, redirects: REDIRECTS, statuses: [304] },
    dial,
  )
  const validators = { etag: textOf(fetched.headers.etag), lastModified: textOf(fetched.headers['last-modified']) }
  return fetched.status === 304 ? { kind: 'same', ...known } : { kind: 'fetched', bytes: fetched.bytes, ...validators }
}
