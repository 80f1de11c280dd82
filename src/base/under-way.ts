// Which request the thread is working on. It stays with whatever the request waits for, so that somebody who stops the thread at
// any moment, as the watchdog does, can ask whose work that is. Names only: neither paths nor values, which can have tokens in them.
import { AsyncLocalStorage } from 'node:async_hooks'

export interface RequestUnderWay {
  readonly method: string | undefined
  /** The pattern of its route; undefined until that is known. */
  route: string | undefined
  /** Of the response too. */
  id?: string
  /** Of an assistant's call. */
  tool?: string
  /** Of a GraphQL request: the name and the text of its operation. */
  operation?: string | undefined
  document?: string | undefined
}

const storage = new AsyncLocalStorage<RequestUnderWay>()

export const underWay = {
  /** Runs what handles the request. */
  run: <T>(request: RequestUnderWay, handle: () => T): T => storage.run(request, handle),
  current: (): RequestUnderWay | undefined => storage.getStore(),
  /** Once more is known about it. Does nothing outside of requests. */
  note: (known: Partial<RequestUnderWay>): void => {
    const request = storage.getStore()
    if (request !== undefined) Object.assign(request, known)
  },
  /** For what is called back by an event of the connection, such as the end of a body. */
  keeping: <Done extends (...parameters: never[]) => unknown>(done: Done): Done => AsyncLocalStorage.bind(done),
}
