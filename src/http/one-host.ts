// Refuses requests with more than one Host header: a proxy in front may have used the other one.
// RFC 9112, section 3.2: "A server MUST respond with a 400 (Bad Request) status code to any request message that … contains
// more than one Host header field line". Node's server silently uses the first.
import type { IncomingMessage } from 'node:http'
import type { Handler } from './handler.ts'

export const hasTwoHosts = ({ rawHeaders }: IncomingMessage): boolean => {
  let hosts = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] as string
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1
  }
  return hosts > 1
}

const body = JSON.stringify({ error: 'bad_request', error_description: 'The request has more than one Host header.' })

export const withOneHost =
  (next: Handler): Handler =>
  (request, response) => {
    if (!hasTwoHosts(request)) return next(request, response)
    request.resume()
    const headers = {
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      connection: 'close',
    }
    response.writeHead(400, headers).end(body)
  }
