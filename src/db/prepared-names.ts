// Which statements a connection keeps prepared: the ones used last, never more than a fixed number.
import type pg from 'pg'

const MOST = 256

export interface PreparedNames {
  /** Call before a statement of this name is sent. */
  use(client: pg.Client, name: string): void
  /** The server does not know the name: it is prepared again at its next use. */
  forget(client: pg.Client, name: string): void
}

/** Where the driver keeps what it has prepared. It has no call to let go of one. */
const parsedBy = (client: pg.Client): Record<string, string> =>
  (client as unknown as { connection: { parsedStatements: Record<string, string> } }).connection.parsedStatements

export const createPreparedNames = (): PreparedNames => {
  const names = new Set<string>()
  const forget = (client: pg.Client, name: string): void => {
    names.delete(name)
    delete parsedBy(client)[name]
  }
  return {
    use: (client, name) => {
      names.delete(name)
      names.add(name)
      const [oldest] = names
      if (names.size <= MOST || oldest === undefined || !(oldest in parsedBy(client))) return
      forget(client, oldest)
      client.query(`deallocate "${oldest}"`).catch(() => undefined)
    },
    forget,
  }
}
