// A request's stream → its bytes. A body that is too large is read to its end and discarded, so that the connection stays usable.
import type { IncomingMessage } from 'node:http'
import { underWay } from '../../base/under-way.ts'
import type { Body } from '../../graphql/entrance/transport.ts'
import { limits } from '../../graphql/limits/limits.ts'

/** Beyond this, the connection is not worth keeping. */
const MOST_DRAINED = 8 * 1024 * 1024

export const readBody = (stream: IncomingMessage, onDone: (error: Error | null, body?: Body) => void): void => {
  const done = underWay.keeping(onDone)
  const chunks: Buffer[] = []
  let size = 0
  stream.on('data', (chunk: Buffer) => {
    size += chunk.length
    if (size <= limits.bodyBytes) chunks.push(chunk)
    else chunks.length = 0
    if (size > MOST_DRAINED) stream.destroy()
  })
  stream.once('error', error => done(error))
  stream.once('end', () => {
    const bytes = chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)
    // The stream stays in memory as long as the response to it.
    chunks.length = 0
    done(null, size > limits.bodyBytes ? { kind: 'too-large' } : { kind: 'bytes', bytes })
  })
}
