// A connection to the host that is the primary → one that ends when another host is: what the former one still says may be out of
// date, and it may not even notice that it is one no more.
import type pg from 'pg'
import type { Connection } from './connection.ts'

type MayMove = Pick<Connection, 'several'>

/** @returns what undoes it */
export const whenPrimaryMoves = ({ several }: MayMove, listener: () => void): (() => void) => {
  several?.hosts.moving?.add(listener)
  return () => void several?.hosts.moving?.delete(listener)
}

/** Call it before the client connects. It ends as if the server had gone, which everybody is prepared for. */
export const endWithHost = (client: pg.Client, connection: MayMove): void => {
  const forget = whenPrimaryMoves(connection, () => client.connection.stream.destroy())
  client.once('end', forget)
}
