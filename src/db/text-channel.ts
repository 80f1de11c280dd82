// A connected driver client → statements in, their single text out, in order. The driver connects and authenticates;
// from then on we speak the protocol on its socket, because copying, describing and typing what is only passed on
// would cost more than everything else in a request.
import type pg from 'pg'
import { createPreparedNames } from './prepared-names.ts'
import { takeSocket } from './wire/driver-seam.ts'
import { createIncoming } from './wire/incoming.ts'
import { createOutgoing } from './wire/outgoing.ts'

export type Settings = readonly (readonly [name: string, value: string])[]

export interface TextStatement {
  readonly text: string
  /** The same name for the same text. */
  readonly name: string
  readonly values: readonly (string | null)[]
  /** The result when there is no row. */
  readonly none: string
  /** Whether to keep it prepared: not if it was seen only once. */
  readonly prepare: boolean
  /** Transaction settings that row-level security reads; undefined if no such table is used. */
  readonly settings: Settings | undefined
}

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

const UNKNOWN_NAME = '26000'

const settingsText = (count: number): string =>
  `select ${Array.from({ length: count }, (_, index) => `set_config($${index * 2 + 1}, $${index * 2 + 2}, true)`).join(', ')}`

export const openTextChannel = (client: pg.Client): TextChannel => {
  const outgoing = createOutgoing()
  const prepared = createPreparedNames()
  const settingsNames = new Set<string>()
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

  const ensureParsed = (waiting: Waiting, name: string, textOf: () => string): void => {
    if (prepared.use(name)) return
    waiting.parsing.push(name)
    outgoing.parse(name, textOf())
    const oldest = prepared.takeOldest()
    if (oldest !== undefined) outgoing.close(oldest)
  }

  /**
   * Everything between two syncs is one transaction, so its local settings apply to the statement behind them and to no
   * other, without `begin` and `commit`.
   * https://www.postgresql.org/docs/current/protocol-flow.html#PROTOCOL-FLOW-PIPELINING
   */
  const writeSettings = (waiting: Waiting, settings: Settings): void => {
    const name = `settings_${settings.length}`
    settingsNames.add(name)
    ensureParsed(waiting, name, () => settingsText(settings.length))
    outgoing.bind(name, settings.flat())
    outgoing.execute()
  }

  const writeStatement = (waiting: Waiting, { text, name, prepare, values }: TextStatement): void => {
    if (prepare) ensureParsed(waiting, name, () => text)
    else {
      waiting.parsing.push('')
      outgoing.parse('', text)
    }
    outgoing.bind(prepare ? name : '', values)
    outgoing.execute()
  }

  /** Unconfirmed names do not exist. If the server does not know a name, others may be gone too. */
  const forgetNames = ({ parsing, name }: Waiting, { code, message }: pg.DatabaseError): void => {
    for (const unconfirmed of parsing) prepared.forget(unconfirmed)
    if (code !== UNKNOWN_NAME) return
    for (const used of [name, ...settingsNames]) if (message.includes(used)) prepared.forget(used)
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
      forgetNames(first, error)
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
      if (settings !== undefined) writeSettings(waiting, settings)
      writeStatement(waiting, statement)
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
