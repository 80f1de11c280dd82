// The headers of a request → what they say about changes: whether to try them only, and under which key they are made once.
// https://datatracker.ietf.org/doc/draft-ietf-httpapi-idempotency-key-header/
import { createHash } from 'node:crypto'
import { Fault } from '../../base/fault.ts'
import type { IncomingRequest } from '../entrance/transport.ts'

export interface IdempotencyKey {
  readonly key: string
  /** Of the request's body. */
  readonly hash: string
}

export interface Changing {
  readonly requestId: string
  readonly dryRun: boolean
  /** Calculated when first needed: queries may have the header too, and ignore it. @throws {Fault} `bad_request` */
  readonly idempotencyKey: () => IdempotencyKey | undefined
}

/** The draft's structured string has quotes around it; most clients send it without. */
const unquoted = (value: string): string =>
  value.length >= 2 && value.startsWith('"') && value.endsWith('"') ? value.slice(1, -1) : value

const allowed = /^[\x21-\x7e](?:[\x20-\x7e]{0,253}[\x21-\x7e])?$/

const readKey = ({ headers, body }: IncomingRequest): IdempotencyKey | undefined => {
  const value = headers['idempotency-key']
  if (value === undefined) return undefined
  const key = unquoted(String(value))
  if (!allowed.test(key))
    throw new Fault({
      code: 'bad_request',
      status: 400,
      message: 'The header Idempotency-Key must have from 1 to 255 visible ASCII characters, such as a UUID.',
    })
  const bytes = body?.kind === 'bytes' ? body.bytes : ''
  return { key, hash: createHash('sha256').update(bytes).digest('hex') }
}

/** The operation or the request may ask for it. */
export const isDryRun = (mutation: { readonly dryRun: boolean }, changing: Changing | undefined): boolean =>
  mutation.dryRun || changing?.dryRun === true

/** Whoever sends it in another form wants a dry run too, and must not find it written. @throws {Fault} `bad_request` */
const readDryRun = ({ headers }: IncomingRequest): boolean => {
  const value = headers['x-minaret-dry-run']
  if (value === undefined || value === '0') return false
  if (value === '1') return true
  throw new Fault({ code: 'bad_request', status: 400, message: 'The header X-Minaret-Dry-Run must be 1 or 0.' })
}

export const changingOf = (request: IncomingRequest): Changing => ({
  requestId: request.id,
  dryRun: readDryRun(request),
  idempotencyKey: () => readKey(request),
})
