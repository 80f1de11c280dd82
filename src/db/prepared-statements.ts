// Statements → messages that prepare them where needed, bind and execute them; and what the server keeps prepared.
import type pg from 'pg'
import { createPreparedNames } from './prepared-names.ts'
import { isUnprepared } from './reading-errors.ts'
import type { Outgoing } from './wire/outgoing.ts'

export type Settings = readonly (readonly [name: string, value: string])[]

export interface SentStatement {
  readonly text: string
  /** The same name for the same text. */
  readonly name: string
  readonly values: readonly (string | null)[]
  /** Whether to keep it prepared: not if it was seen only once. */
  readonly prepare: boolean
}

export interface PreparedStatements {
  /** Names that have to be prepared for it are added to `parsing`. */
  write(statement: SentStatement, parsing: string[]): void
  /** Settings of the transaction, as a statement of its own that returns one row. */
  writeSettings(settings: Settings, parsing: string[]): void
  /** Unconfirmed names do not exist. If the server does not know a name, others of `used` may be gone too. */
  forget(parsing: readonly string[], used: Iterable<string>, error: pg.DatabaseError): void
}

const settingsText = (count: number): string =>
  `select ${Array.from({ length: count }, (_, index) => `set_config($${index * 2 + 1}, $${index * 2 + 2}, true)`).join(', ')}`

export const createPreparedStatements = (outgoing: Outgoing): PreparedStatements => {
  const prepared = createPreparedNames()
  const settingsNames = new Set<string>()

  const ensureParsed = (parsing: string[], name: string, textOf: () => string): void => {
    if (prepared.use(name)) return
    parsing.push(name)
    outgoing.parse(name, textOf())
    const oldest = prepared.takeOldest()
    if (oldest !== undefined) outgoing.close(oldest)
  }

  return {
    write: ({ text, name, prepare, values }, parsing) => {
      if (prepare) ensureParsed(parsing, name, () => text)
      else {
        parsing.push('')
        outgoing.parse('', text)
      }
      outgoing.bind(prepare ? name : '', values)
      outgoing.execute()
    },
    writeSettings: (settings, parsing) => {
      const name = `settings_${settings.length}`
      settingsNames.add(name)
      ensureParsed(parsing, name, () => settingsText(settings.length))
      outgoing.bind(name, settings.flat())
      outgoing.execute()
    },
    forget: (parsing, used, error) => {
      for (const unconfirmed of parsing) prepared.forget(unconfirmed)
      if (!isUnprepared(error)) return
      for (const name of [...used, ...settingsNames]) prepared.forget(name)
    },
  }
}
