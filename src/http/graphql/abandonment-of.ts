// An answer under way → whom to tell when the client goes away before it is finished.
import type { ServerResponse } from 'node:http'
import type { Abandonment } from '../../db/reader-connection.ts'

/** Not an AbortSignal: one for each request would cost more than checking its credential. */
export const abandonmentOf = (response: ServerResponse): Abandonment => {
  const listeners = new Set<() => void>()
  response.on('close', () => {
    if (!response.writableFinished) for (const listener of listeners) listener()
  })
  return {
    // The client may have gone while the credential was checked.
    add: listener => void (response.closed ? listener() : listeners.add(listener)),
    delete: listener => void listeners.delete(listener),
  }
}
