// A response in progress → a way to learn that the client disconnected before it was finished.
import type { ServerResponse } from 'node:http'
import type { Abandonment } from '../../db/reader-connection.ts'

export interface ToldAbandonment extends Abandonment {
  /** The client disconnected. */
  tell(): void
}

/** Not an AbortSignal: one for each request would cost more than checking its credential. */
export const createAbandonment = (isGone: () => boolean): ToldAbandonment => {
  const listeners = new Set<() => void>()
  return {
    // The client may have disconnected while the credential was checked.
    add: listener => void (isGone() ? listener() : listeners.add(listener)),
    delete: listener => void listeners.delete(listener),
    tell: () => {
      for (const listener of listeners) listener()
    },
  }
}

export const abandonmentOf = (response: ServerResponse): Abandonment => {
  const abandonment = createAbandonment(() => response.closed)
  response.on('close', () => {
    if (!response.writableFinished) abandonment.tell()
  })
  return abandonment
}
