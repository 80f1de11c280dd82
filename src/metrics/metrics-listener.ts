// A port of its own → `GET /metrics` and nothing else, so that a proxy in front of the service cannot publish it by mistake.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Logger } from '../base/log.ts'
import { TEXT_TYPE } from './write-text.ts'

export interface MetricsListener {
  readonly url: string
  close(): Promise<void>
}

export interface MetricsListenerOptions {
  readonly host: string
  readonly port: number
  readonly log: Logger
  /** The text of a scrape. It never waits for the database. */
  readonly scrape: () => Promise<string>
}

const PATH = '/metrics'
const MOST_CONNECTIONS = 32
const REQUEST_MS = 5000
const KEEP_ALIVE_MS = 65_000

const refuse = (response: ServerResponse, status: 404 | 405 | 500, text: string): void => {
  const allow = status === 405 ? { allow: 'GET, HEAD' } : {}
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', ...allow }).end(`${text}\n`)
}

export const openMetricsListener = async (options: MetricsListenerOptions): Promise<MetricsListener> => {
  const { host, port, log, scrape } = options
  let scraping: Promise<string> | undefined

  /** Scrapes that arrive together share one. */
  const shared = (): Promise<string> => {
    scraping ??= scrape().finally(() => {
      scraping = undefined
    })
    return scraping
  }

  const answer = async ({ url, method }: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (url?.split('?', 1)[0] !== PATH) return refuse(response, 404, 'There is only /metrics here.')
    if (method !== 'GET' && method !== 'HEAD') return refuse(response, 405, 'Use GET.')
    const text = await shared()
    response.writeHead(200, { 'content-type': TEXT_TYPE, 'cache-control': 'no-store' }).end(text)
  }

  const server = createServer((request, response) => {
    request.resume()
    answer(request, response).catch(error => {
      log.error({ err: error }, 'the metrics could not be collected')
      refuse(response, 500, 'The metrics could not be collected; the log says why.')
    })
  })
  server.maxConnections = MOST_CONNECTIONS
  server.headersTimeout = REQUEST_MS
  server.requestTimeout = REQUEST_MS
  server.keepAliveTimeout = KEEP_ALIVE_MS
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  const { port: bound } = server.address() as AddressInfo
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${bound}${PATH}`,
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
