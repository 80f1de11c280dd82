// An answer under way → whom to tell when the client goes away before it is finished.
import type { ServerResponse } from 'node:http'
import type { Abandonment } from '../../db/reader-connection.ts'

export interface ToldAbandonment extends Abandonment {
  /** The client went away. */
  tell(): void
}

/** Not an AbortSignal: one for each request would cost more than checking its credential. */
export const createAbandonment = (isGone: () => boolean): ToldAbandonment => {
  const listeners = new Set<() => void>()
  return {
    // The client may have gone while the credential was checked.
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
