// Somebody else's server of images: https://logo.test on loopback, which only the dial given here may reach.
import type { IncomingMessage, RequestListener } from 'node:http'
import { type Dial, publicDial } from '../../src/outbound/guarded-fetch.ts'
import { fewPixels, png } from './png.ts'
import { certificate, openTlsServer } from './tls-server.ts'

export interface ImageHost {
  readonly dial: Dial
  /** What was asked for, in order. */
  readonly requests: Pick<IncomingMessage, 'url' | 'headers'>[]
  readonly countOf: (path: string) => number
  /** Until told otherwise, every path is a small PNG. */
  readonly answers: Map<string, RequestListener>
  close(): Promise<void>
}

export const PICTURE = png(2, 2, fewPixels())

/** Answers with nothing but a status. */
export const only =
  (status: number): RequestListener =>
  (_, response) =>
    void response.writeHead(status).end()

export const openImageHost = async (): Promise<ImageHost> => {
  const requests: ImageHost['requests'] = []
  const answers = new Map<string, RequestListener>()
  const server = await openTlsServer((request, response) => {
    requests.push({ url: request.url, headers: request.headers })
    const answer = answers.get(String(request.url))
    if (answer === undefined) response.end(PICTURE)
    else answer(request, response)
  })
  const dial: Dial = {
    ...publicDial,
    resolve: async () => [{ address: '127.0.0.1', family: 4 }],
    mayReach: address => address === '127.0.0.1',
    connection: { port: server.port, ca: certificate },
  }
  const countOf = (path: string): number => requests.filter(({ url }) => url === path).length
  return { dial, requests, countOf, answers, close: () => server.close() }
}
