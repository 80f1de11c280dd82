// Refuses requests that repeat a header which decides where they go or whose they are: a proxy in front may have used the other one.
// RFC 9112, section 3.2: "A server MUST respond with a 400 (Bad Request) status code to any request message that … contains
// more than one Host header field line". Node's server silently uses the first, of Authorization too.
import type { IncomingMessage } from 'node:http'
import type { Handler } from './handler.ts'
import type { Proxies } from './proxies/proxies.ts'

const singleHeaders = { host: 'Host', authorization: 'Authorization' } as const

const countOf = ({ rawHeaders }: IncomingMessage, header: string): number => {
  let count = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] as string
    if (name.length === header.length && name.toLowerCase() === header) count += 1
  }
  return count
}

/** What is wrong, in words; undefined if nothing is. */
export const repeatedHeader = (request: IncomingMessage): string | undefined => {
  for (const [header, words] of Object.entries(singleHeaders))
    if (countOf(request, header) > 1) return `The request has more than one ${words} header.`
  return undefined
}

export const withSingleHeaders =
  (next: Handler, proxies: Proxies): Handler =>
  (request, response) => {
    const description = repeatedHeader(request)
    if (description === undefined) return next(request, response)
    request.resume()
    const headers = {
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      'x-request-id': proxies.requestId(request),
      connection: 'close',
    }
    response.writeHead(400, headers).end(JSON.stringify({ error: 'bad_request', error_description: description }))
  }
