// A statement whose answer is one text → that text, with as little of the driver around it as that takes: no copy of the
// query, no description of columns that are known, no types, no rows; and settings in the same breath.
import pg from 'pg'

export type Settings = readonly (readonly [name: string, value: string])[]

export interface TextStatement {
  readonly text: string
  /** Undefined for one that is not kept prepared. */
  readonly name: string | undefined
  readonly values: readonly (string | null)[]
  /** Settings of the transaction; undefined where none are needed. */
  readonly settings: Settings | undefined
}

/** What the driver offers to its own kinds of query, and to cursors and streams. */
interface Wire {
  readonly parsedStatements: Record<string, string | undefined>
  readonly submittedNamedStatements: Record<string, string | undefined>
  parse(statement: { text: string; name: string | undefined }): void
  bind(portal: { statement: string | undefined; values: readonly (string | null)[] }): void
  execute(portal: object): void
  sync(): void
}

type Callback = (error: Error | null, text?: string) => void

const settingsText = (count: number): string =>
  `select ${Array.from({ length: count }, (_, index) => `set_config($${index * 2 + 1}, $${index * 2 + 2}, true)`).join(', ')}`

/**
 * Everything between two syncs is one transaction, so settings that are local to it hold for the statement behind them
 * and for no other, without `begin` and `commit`.
 * https://www.postgresql.org/docs/current/protocol-flow.html#PROTOCOL-FLOW-PIPELINING
 */
const sendSettings = (wire: Wire, settings: Settings): void => {
  const name = `settings_${settings.length}`
  if (wire.parsedStatements[name] === undefined) {
    const text = settingsText(settings.length)
    wire.parse({ name, text })
    wire.parsedStatements[name] = text
  }
  wire.bind({ statement: name, values: settings.flat() })
  wire.execute({})
}

const isParsed = ({ parsedStatements, submittedNamedStatements }: Wire, name: string | undefined): boolean =>
  name !== undefined && (parsedStatements[name] !== undefined || submittedNamedStatements[name] !== undefined)

/** A class, since the driver takes only its own kind of query on a pipelined connection. */
class TextQuery extends pg.Query {
  readonly #statement: TextStatement
  #answer = ''
  /** Read by the driver, which remembers what it has prepared. */
  readonly name: string | undefined
  readonly text: string
  readonly callback: Callback

  constructor(statement: TextStatement, callback: Callback) {
    super('')
    this.#statement = statement
    this.name = statement.name
    this.text = statement.text
    this.callback = callback
  }

  requiresPreparation(): boolean {
    return true
  }

  prepare(wire: Wire): void {
    const { text, name, values, settings } = this.#statement
    if (settings !== undefined) sendSettings(wire, settings)
    if (!isParsed(wire, name)) {
      wire.parse({ text, name })
      if (name !== undefined) wire.submittedNamedStatements[name] = text
    }
    wire.bind({ statement: name, values })
    wire.execute({})
    wire.sync()
  }

  /** The settings answer with a row too; the statement's comes last. */
  handleDataRow({ fields }: { readonly fields: readonly (string | null)[] }): void {
    this.#answer = String(fields[0])
  }

  handleRowDescription(): void {}

  handleCommandComplete(): void {}

  handleReadyForQuery(): void {
    this.callback(null, this.#answer)
  }
}

/** The text in the first column of the first row. */
export const readText = (client: pg.Client, statement: TextStatement): Promise<string> =>
  new Promise((resolve, reject) => {
    client.query(
      new TextQuery(statement, (error, text = '') => {
        if (error === null) resolve(text)
        else reject(error)
      }),
    )
  })
