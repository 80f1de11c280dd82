// A subscription over server-sent events, read as it comes: each event when it has arrived.
import { within } from '../support/oauth.ts'

// biome-ignore lint/suspicious/noExplicitAny: a result has the shape of its operation
type Payload = any

export interface Followed {
  readonly status: number
  readonly headers: Headers
  /** Of `next` events, in order. */
  readonly results: Payload[]
  /** The names of all events. */
  readonly events: string[]
  /** The stream has ended. */
  readonly ended: Promise<void>
  /** Waits until so many results are there. */
  until(count: number): Promise<Payload>
  /** Waits for a result that is as wanted. */
  untilSo(what: string, isSo: (payload: Payload) => boolean): Promise<void>
  close(): Promise<void>
}

export interface Following {
  readonly url: string
  readonly key?: string | undefined
  readonly query: string
  readonly variables?: Record<string, unknown>
  readonly headers?: Record<string, string>
}

/** Long enough for a busy machine; what is expected takes a fraction of a second. */
const PATIENCE_MS = 60_000

export const follow = async ({ url, key, query, variables, headers }: Following): Promise<Followed> => {
  const control = new AbortController()
  const response = await fetch(url, {
    method: 'POST',
    signal: control.signal,
    headers: {
      'content-type': 'application/json',
      accept: 'text/event-stream',
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      ...headers,
    },
    body: JSON.stringify({ query, variables }),
  })
  const results: Payload[] = []
  const events: string[] = []
  const take = (text: string): void => {
    const name = /^event: (.*)$/m.exec(text)?.[1]
    if (name === undefined) return
    events.push(name)
    const data = /^data: (.*)$/m.exec(text)?.[1]
    if (name === 'next' && data !== undefined) results.push(JSON.parse(data))
  }
  const read = async (): Promise<void> => {
    let rest = ''
    const decoder = new TextDecoder()
    for await (const chunk of response.body ?? []) {
      const parts = (rest + decoder.decode(chunk, { stream: true })).split('\n\n')
      rest = parts.pop() ?? ''
      for (const part of parts) take(part)
    }
  }
  const ended = read().catch(() => undefined)
  return {
    status: response.status,
    headers: response.headers,
    results,
    events,
    ended,
    until: async count => {
      await within(PATIENCE_MS, `${count} results, not ${JSON.stringify(results)}`, async () => results.length >= count)
      return results[count - 1]
    },
    untilSo: (what, isSo) =>
      within(PATIENCE_MS, what, async () => results.some(isSo)).catch(error => {
        throw new Error(`only ${JSON.stringify(results.slice(-5))}`, { cause: error })
      }),
    close: async () => {
      control.abort()
      await ended
    },
  }
}
