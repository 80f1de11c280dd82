// The body of a POST or the parameters of a GET → one operation, or a batch of them.
import { isUtf8 } from 'node:buffer'
import { parse as parseQuery } from 'node:querystring'
import { parseExact } from '../../base/exact-json.ts'
import { Fault } from '../../base/fault.ts'
import { asksForChange } from '../document.ts'
import { BatchFault, fault } from '../errors.ts'
import { limits } from '../limits/limits.ts'
import { type GraphqlRequest, type RawRequest, readRequest } from '../request.ts'
import type { Body, IncomingRequest } from './transport.ts'

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

const notOurMediaType = (): Fault => fault('unsupported-media-type', 'Send the body as application/json, in UTF-8.')

/** RFC 9110 section 8.4: an unknown encoding is refused. */
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

/** Up to this length each operation gets an error: no client batches more. */
const MOST_TOLD = 100

const batchTooLarge = (operations: number): Fault => {
  const advice = `The batch has ${operations} operations; the maximum is ${limits.batch}. Send fewer at a time.`
  const refused = fault('batch-too-large', advice)
  return operations <= MOST_TOLD ? new BatchFault(refused, operations) : refused
}

const readPost = ({ headers, body }: IncomingRequest): RawRequests => {
  checkEncoding(headers['content-encoding'])
  checkType(headers['content-type'])
  const json = parseJson(textOf(body), 'The body')
  if (!Array.isArray(json)) return { requests: [readRequest(json)], batch: false }
  if (json.length === 0) throw bad('The batch is empty.')
  if (json.length > limits.batch) throw batchTooLarge(json.length)
  return { requests: json.map(readRequest), batch: true }
}

const parameterJson = (query: Record<string, unknown>, name: string): unknown => {
  const text = query[name]
  return typeof text === 'string' && text !== '' ? parseJson(text, `The parameter ${name}`) : text || undefined
}

const readGet = ({ url }: IncomingRequest): RawRequests => {
  const at = url.indexOf('?')
  const query = at === -1 ? {} : parseQuery(url.slice(at + 1))
  const request = readRequest({
    query: query.query,
    operationName: query.operationName || undefined,
    variables: parameterJson(query, 'variables'),
    extensions: parameterJson(query, 'extensions'),
  })
  return { requests: [request], batch: false }
}

export const readOperations = (request: IncomingRequest): RawRequests =>
  request.method === 'POST' ? readPost(request) : readGet(request)

/** One key stands for one response. @throws {Fault} `bad_request` */
export const refuseKeyedBatch = ({ headers }: IncomingRequest): void => {
  if (headers['idempotency-key'] !== undefined)
    throw bad('A batch cannot have an Idempotency-Key. Send its mutations one by one, each with its own key.')
}

/** RFC 9110, section 9.2.1: GET must not change anything. @throws {Fault} `method-not-allowed` */
export const refuseChanges = (requests: readonly GraphqlRequest[]): void => {
  if (!requests.some(({ query, operationName }) => asksForChange(query, operationName))) return
  throw fault('method-not-allowed', 'GET is for queries. Send anything else with POST.', { allow: 'POST' })
}
