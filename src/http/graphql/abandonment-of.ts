// An answer under way → a signal that aborts when the client goes away before it is finished.
import type { ServerResponse } from 'node:http'

export const abandonedSignal = (response: ServerResponse): AbortSignal => {
  const controller = new AbortController()
  response.once('close', () => {
    if (!response.writableFinished) controller.abort()
  })
  return controller.signal
}
