// A POST body or the parameters of a GET → one request, or a batch of them.
import { isUtf8 } from 'node:buffer'
import type { IncomingHttpHeaders } from 'node:http'
import { parseExact } from '../../base/exact-json.ts'
import { Fault } from '../../base/fault.ts'
import { fault } from '../../graphql/errors.ts'
import { limits } from '../../graphql/limits/limits.ts'
import { type RawRequest, readRequest } from '../../graphql/request.ts'
import type { Body } from './read-body.ts'

export interface RawRequests {
  readonly requests: readonly RawRequest[]
  readonly batch: boolean
}

const bad = (message: string): Fault => new Fault({ code: 'bad_request', status: 400, message })

const parseJson = (text: string, what: string): unknown => {
  try {
    return parseExact(text)
  } catch {
    throw bad(`${what} is not JSON.`)
  }
}

export const notOurMediaType = (): Fault =>
  fault('unsupported-media-type', 'Send the body as application/json, in UTF-8.')

/** RFC 9110 section 8.4: an encoding that is not known is refused. */
const checkEncoding = (encoding: string | undefined): void => {
  if (encoding === undefined || encoding.toLowerCase() === 'identity') return
  const advice = `Send the body as it is, not compressed (Content-Encoding: ${encoding.slice(0, 40)}).`
  throw fault('unsupported-media-type', advice, { 'accept-encoding': 'identity' })
}

const checkType = (contentType: string | undefined): void => {
  if (contentType === 'application/json') return
  const [type, ...parameters] = (contentType ?? '')
    .toLowerCase()
    .split(';')
    .map(part => part.trim())
  const charset = parameters.find(parameter => parameter.startsWith('charset='))
  const utf8 = charset === undefined || /^charset="?utf-?8"?$/.test(charset)
  if (type !== 'application/json' || !utf8) throw notOurMediaType()
}

const textOf = (body: Body | undefined): string => {
  if (body?.kind === 'too-large')
    throw new Fault({
      code: 'too_large',
      status: 413,
      message: `The body is larger than ${limits.bodyBytes} bytes, the maximum. Send less at a time.`,
    })
  if (body === undefined || body.bytes.length === 0) throw bad('The body is empty. Send {"query": "…"}.')
  if (!isUtf8(body.bytes)) throw bad('The body is not UTF-8.')
  return body.bytes.toString()
}

export const requestsOfPost = (headers: IncomingHttpHeaders, body: Body | undefined): RawRequests => {
  checkEncoding(headers['content-encoding'])
  checkType(headers['content-type'])
  const json = parseJson(textOf(body), 'The body')
  if (!Array.isArray(json)) return { requests: [readRequest(json)], batch: false }
  if (json.length === 0) throw bad('The batch is empty.')
  if (json.length > limits.batch)
    throw fault(
      'batch-too-large',
      `The batch has ${json.length} operations; the maximum is ${limits.batch}. Send fewer at a time.`,
    )
  return { requests: json.map(readRequest), batch: true }
}

const parameterJson = (query: Record<string, unknown>, name: string): unknown => {
  const text = query[name]
  return typeof text === 'string' && text !== '' ? parseJson(text, `The parameter ${name}`) : text || undefined
}

export const requestsOfGet = (query: Record<string, unknown>): RawRequests => ({
  requests: [
    readRequest({
      query: query.query,
      operationName: query.operationName || undefined,
      variables: parameterJson(query, 'variables'),
      extensions: parameterJson(query, 'extensions'),
    }),
  ],
  batch: false,
})
