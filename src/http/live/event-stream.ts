// A response → a stream of server-sent events, kept alive, and closed if its reader takes nothing for too long.
// https://html.spec.whatwg.org/multipage/server-sent-events.html
import type { ServerResponse } from 'node:http'
import { crossOriginHeaders } from '../../graphql/entrance/cross-origin.ts'
import type { OpenConnections } from './open-connections.ts'
import { streamedResponses } from './streamed-responses.ts'

export interface EventStream {
  /** Whether the reader keeps up; otherwise `onDrain` is called when it has caught up. */
  isReady(): boolean
  write(frame: string | Buffer): void
  end(): void
}

export interface EventStreamOptions {
  readonly connections: OpenConnections
  readonly requestId: string
  readonly onDrain: () => void
  readonly onClose: () => void
}

/** Beats that a reader may sleep through while something waits for it. */
const MOST_UNREAD = 4
const COMMENT = ':\n\n'

const headersFor = (requestId: string): string[] => [
  'content-type',
  'text/event-stream; charset=utf-8',
  'cache-control',
  'no-store',
  // nginx would collect the events.
  'x-accel-buffering',
  'no',
  'x-request-id',
  requestId,
  ...crossOriginHeaders,
]

/** @throws {Fault} `unavailable` if the process is stopping. */
export const openEventStream = (response: ServerResponse, options: EventStreamOptions): EventStream => {
  const { connections, requestId, onDrain, onClose } = options
  let unread = 0
  const connection = {
    beat: () => {
      unread = response.writableLength > 0 ? unread + 1 : 0
      if (unread > MOST_UNREAD) response.destroy()
      else if (unread === 0) response.write(COMMENT)
    },
    // Without the event `complete`, which would tell the client that nothing more is to come.
    leave: () => void response.end(),
  }
  connections.add(connection)
  streamedResponses.add(response)
  response.on('drain', onDrain)
  response.once('close', () => {
    connections.delete(connection)
    onClose()
  })
  response.writeHead(200, headersFor(requestId))
  // Some browsers report an open stream only once they have read something.
  response.write(COMMENT)
  return {
    isReady: () => !response.writableNeedDrain,
    write: frame => void response.write(frame),
    end: () => void response.end(),
  }
}

export const eventOf = (name: string, data: string): string =>
  `event: ${name}\ndata:${data === '' ? '' : ` ${data}`}\n\n`
