// A connected driver client → statements in, their single text out, in order. The driver connects and authenticates;
// from then on we speak the protocol on its socket, because copying, describing and typing what is only passed on
// would cost more than everything else in a request.
import type pg from 'pg'
import { createPreparedStatements, type SentStatement, type Settings } from './prepared-statements.ts'
import { takeSocket } from './wire/driver-seam.ts'
import { createIncoming } from './wire/incoming.ts'
import { createOutgoing } from './wire/outgoing.ts'

export interface TextStatement extends SentStatement {
  /** The result when there is no row. */
  readonly none: string
  /** Transaction settings that row-level security reads; undefined if no such table is used. */
  readonly settings: Settings | undefined
}

/** One of our own: always prepared, and the same whoever asks. */
export const ownStatement = (name: string, text: string, values: readonly (string | null)[] = []): TextStatement => ({
  text,
  name,
  values,
  none: '',
  prepare: true,
  settings: undefined,
})

/** `ranMs` is how long the statement itself ran, without the wait for those ahead of it. */
export type Done = (error: Error | undefined, text: string, ranMs: number) => void

export interface TextChannel {
  /** The number of unanswered statements. */
  readonly length: number
  /** When the first of them started running; 0 if there is none. */
  readonly headSince: number
  send(statement: TextStatement, done: Done): void
  /** Fails everything that is unanswered. */
  fail(error: Error): void
  /** Closes the socket at once: the server does not answer. */
  drop(error: Error): void
}

interface Waiting {
  readonly done: Done
  /** The name its statement is prepared under. */
  readonly name: string
  /** Names being prepared for it, in order; confirmed ones are removed. */
  readonly parsing: string[]
  /** Its settings return a row of their own first. */
  awaitsSettings: boolean
  text: string
  error: Error | undefined
}

export const openTextChannel = (client: pg.Client): TextChannel => {
  const outgoing = createOutgoing()
  const statements = createPreparedStatements(outgoing)
  let line: Waiting[] = []
  let headSince = 0
  let gathering = false

  /** Everything sent in one turn of the event loop leaves in one packet: one system call for many statements. */
  const gather = (): void => {
    if (gathering) return
    gathering = true
    setImmediate(() => {
      gathering = false
      socket.write(outgoing.take())
    })
  }

  const finishFirst = (): void => {
    const first = line.shift()
    const now = performance.now()
    const ranMs = now - headSince
    headSince = line.length === 0 ? 0 : now
    first?.done(first.error, first.text, ranMs)
  }

  const take = createIncoming({
    parsed: () => void line[0]?.parsing.shift(),
    row: text => {
      const [first] = line
      if (first === undefined) return
      if (first.awaitsSettings) first.awaitsSettings = false
      else first.text = text
    },
    failed: error => {
      const [first] = line
      if (first === undefined) return
      first.error = error
      statements.forget(first.parsing, [first.name], error)
    },
    ready: finishFirst,
  })
  // Bytes that cannot be parsed end only this connection; it is reopened.
  const socket = takeSocket(client, bytes => {
    try {
      take(bytes)
    } catch (error) {
      socket.destroy(error as Error)
    }
  })

  return {
    get length() {
      return line.length
    },
    get headSince() {
      return headSince
    },
    send: (statement, done) => {
      const { settings, none, name } = statement
      const awaitsSettings = settings !== undefined
      const waiting: Waiting = { done, name, parsing: [], awaitsSettings, text: none, error: undefined }
      if (line.length === 0) headSince = performance.now()
      line.push(waiting)
      // Everything between two syncs is one transaction, so its local settings apply to the statement behind them and to
      // no other, without `begin` and `commit`.
      // https://www.postgresql.org/docs/current/protocol-flow.html#PROTOCOL-FLOW-PIPELINING
      if (settings !== undefined) statements.writeSettings(settings, waiting.parsing)
      statements.write(statement, waiting.parsing)
      outgoing.sync()
      gather()
    },
    drop: error => socket.destroy(error),
    fail: error => {
      const lost = line
      const ranMs = headSince === 0 ? 0 : performance.now() - headSince
      line = []
      headSince = 0
      for (const [index, { done, error: own }] of lost.entries()) done(own ?? error, '', index === 0 ? ranMs : 0)
    },
  }
}
