// A receiver of webhooks, as an app runs one: it verifies every message with the library `standardwebhooks`, and answers as it is told.
import { createServer, type IncomingHttpHeaders, type RequestListener, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Webhook } from 'standardwebhooks'

export interface Received {
  readonly path: string
  readonly id: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
  readonly event: ReceivedEvent
}

interface ReceivedEvent {
  readonly type: string
  readonly timestamp: string
  readonly data: Readonly<Record<string, unknown>> & { readonly key?: { readonly id?: string } | null }
}

export type Answering = (response: ServerResponse, received: Received) => void

export interface Receiver {
  readonly url: string
  readonly received: Received[]
  /** Those at one path, in order of arrival. */
  at(path: string): Received[]
  /** 204, until told otherwise; by path. */
  readonly answers: Map<string, Answering>
  readonly listener: RequestListener
  close(): Promise<void>
}

/** @throws unless one of the secrets signed it, just now. */
export const verify = ({ body, headers }: Pick<Received, 'body' | 'headers'>, secret: string): void =>
  void new Webhook(secret).verify(body, headers as Record<string, string>)

export const only =
  (status: number, headers: Record<string, string> = {}): Answering =>
  response =>
    void response.writeHead(status, headers).end()

const bodyOf = async (request: AsyncIterable<Buffer>): Promise<string> => {
  const pieces: Buffer[] = []
  for await (const piece of request) pieces.push(piece)
  return Buffer.concat(pieces).toString()
}

export const openReceiver = async (): Promise<Receiver> => {
  const received: Received[] = []
  const answers = new Map<string, Answering>()
  const listener: RequestListener = async (request, response) => {
    const body = await bodyOf(request).catch(() => undefined)
    if (body === undefined) return
    const path = String(request.url)
    const one = {
      path,
      id: String(request.headers['webhook-id']),
      headers: request.headers,
      body,
      event: JSON.parse(body),
    }
    received.push(one)
    const answer = answers.get(path) ?? only(204)
    answer(response, one)
  }
  const server = createServer(listener)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    at: path => received.filter(one => one.path === path),
    answers,
    listener,
    close: () =>
      new Promise(resolve => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}
