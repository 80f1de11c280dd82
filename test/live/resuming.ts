// A stream as a client library follows it across lost connections: it subscribes again after the last row it got.
import { setTimeout as delay } from 'node:timers/promises'

// biome-ignore lint/suspicious/noExplicitAny: a result has the shape of its operation
type Result = any

/** What graphql-ws and graphql-sse have in common. */
export interface Subscribing {
  subscribe(
    payload: { query: string; variables?: Record<string, unknown> },
    sink: { next(value: Result): void; error(error: unknown): void; complete(): void },
  ): () => void
}

export interface Resuming {
  /** What was sent, in order. */
  readonly rows: readonly string[]
  /** How often it subscribed. */
  readonly connections: number
  stop(): Promise<void>
}

export interface StreamOf {
  /** With the variable `$after`, and one stream that selects `_cursor`. */
  readonly query: string
  readonly nameOf: (row: Result) => string
}

const PAUSE_MS = 50

export const resumeStream = (from: Subscribing, { query, nameOf }: StreamOf): Resuming => {
  const rows: string[] = []
  let after: string | null = null
  let connections = 0
  let stopped = false
  let unsubscribe = (): void => undefined

  const take = ({ data }: Result): void => {
    const [batch] = Object.values(data ?? {}) as Result[][]
    for (const row of batch ?? []) {
      rows.push(nameOf(row))
      after = row._cursor
    }
  }
  const subscribeOnce = (): Promise<void> =>
    new Promise(resolve => {
      connections += 1
      const sink = { next: take, error: () => resolve(), complete: () => resolve() }
      unsubscribe = from.subscribe({ query, variables: { after } }, sink)
    })
  const running = (async () => {
    while (!stopped) {
      await subscribeOnce()
      await delay(PAUSE_MS)
    }
  })()
  return {
    rows,
    get connections() {
      return connections
    },
    stop: async () => {
      stopped = true
      unsubscribe()
      await running
    },
  }
}
