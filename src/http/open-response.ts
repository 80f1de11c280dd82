// Status, JSON and headers → a response of an entrance that pages of any origin may read and no cache may keep.
import { type FaultyRequest, toFault } from '../base/to-fault.ts'
import type { OutgoingResponse } from '../graphql/entrance/transport.ts'
import { openOrigin } from './cross-origin.ts'

export interface OpenAnswer {
  readonly status: number
  /** Undefined if there is no body. */
  readonly type: string | undefined
  readonly body: string
  readonly headers?: Readonly<Record<string, string>> | undefined
}

export const jsonAnswer = (status: number, body: string, headers: OpenAnswer['headers'] = {}): OpenAnswer => ({
  status,
  type: 'application/json; charset=utf-8',
  body,
  headers,
})

/** Whatever was thrown. */
export const refusalAnswer = (error: unknown, request: FaultyRequest): OpenAnswer => {
  const { status, code, message, headers } = toFault(error, request)
  return jsonAnswer(status, JSON.stringify({ error: code, error_description: message }), headers)
}

export const openHeaders: Readonly<Record<string, string>> = { ...openOrigin, 'cache-control': 'no-store' }

/** Alternating names and values. */
const always = Object.entries(openHeaders).flat()

export const openResponse = (id: string, { status, type, body, headers: own }: OpenAnswer): OutgoingResponse => {
  const bytes = Buffer.byteLength(body)
  const headers = [...always, 'x-request-id', id, 'content-length', String(bytes)]
  if (type !== undefined) headers.push('content-type', type)
  for (const name in own) headers.push(name, own[name] as string)
  return { status, headers, body, encoding: bytes === body.length ? 'latin1' : 'utf8' }
}
