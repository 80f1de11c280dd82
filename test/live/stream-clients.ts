// graphql-ws and graphql-sse, each with a list and a stream that are followed across lost connections.
import { setTimeout as delay } from 'node:timers/promises'
import { createClient as createSseClient } from 'graphql-sse'
import { createClient as createSocketClient } from 'graphql-ws'
import WebSocket from 'ws'
import { within } from '../support/oauth.ts'
import { resumeStream, type StreamOf, type Subscribing } from './resuming.ts'

// biome-ignore lint/suspicious/noExplicitAny: a result has the shape of its operation
type Data = any

export interface Streams {
  readonly url: string
  readonly key: string
  /** A subscription to a list. */
  readonly list: string
  readonly stream: StreamOf
}

export interface OpenStreams {
  readonly name: string
  /** Of the stream, in the order they came. */
  readonly rows: readonly string[]
  readonly connections: () => number
  /** The list has its first result, so that both are subscribed. */
  untilOpen(): Promise<void>
  untilRows(count: number): Promise<void>
  /** The newest result of the list is as wanted. */
  untilList(isSo: (data: Data) => boolean): Promise<void>
  stop(): Promise<void>
}

interface Library {
  readonly name: string
  /** `retries`: the library's own, for lists. */
  readonly open: (retries: number) => Subscribing & { dispose(): void | Promise<void> }
}

const PATIENCE_MS = 60_000
const MOST_RETRIES = 10_000
const RETRY_MS = 50

const librariesFor = ({ url, key }: Streams): readonly Library[] => {
  const authorization = `Bearer ${key}`
  const retry = (): Promise<void> => delay(RETRY_MS)
  return [
    {
      name: `graphql-ws ${url}`,
      open: retryAttempts =>
        createSocketClient({
          url: url.replace('http', 'ws'),
          webSocketImpl: WebSocket,
          connectionParams: { authorization },
          retryAttempts,
          retryWait: retry,
          shouldRetry: () => true,
        }) as ReturnType<Library['open']>,
    },
    {
      name: `graphql-sse ${url}`,
      open: retryAttempts =>
        createSseClient({ url, headers: { authorization }, retryAttempts, retry }) as ReturnType<Library['open']>,
    },
  ]
}

const openWith = ({ name, open }: Library, { list, stream }: Streams): OpenStreams => {
  const [once, again] = [open(0), open(MOST_RETRIES)]
  const resuming = resumeStream(once, stream)
  let newest: Data
  let ended: unknown
  const unsubscribe = again.subscribe(
    { query: list },
    {
      next: ({ data }) => {
        newest = data
      },
      error: error => {
        ended = error
      },
      complete: () => undefined,
    },
  )
  const wait = (what: string, isSo: () => boolean): Promise<void> =>
    within(PATIENCE_MS, `${name}: ${what}`, async () => {
      if (ended !== undefined) throw ended
      return isSo()
    })
  return {
    name,
    rows: resuming.rows,
    connections: () => resuming.connections,
    untilOpen: () => wait('a first result', () => newest !== undefined),
    untilRows: count => wait(`${count} rows, not ${resuming.rows.length}`, () => resuming.rows.length >= count),
    untilList: isSo => wait(`the newest list, not ${JSON.stringify(newest)}`, () => isSo(newest)),
    stop: async () => {
      unsubscribe()
      await resuming.stop()
      await Promise.all([once.dispose(), again.dispose()])
    },
  }
}

export const openStreams = (streams: Streams): OpenStreams[] =>
  librariesFor(streams).map(library => openWith(library, streams))
