// Opens a dedicated connection for one piece of work, to the primary if there are several hosts, and closes it afterwards.
import type pg from 'pg'
import { type Connection, toPrimary } from './connection.ts'
import { withSingleClient } from './single-client.ts'

export const withClient = <T>(
  config: pg.ClientConfig & Pick<Connection, 'several'>,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> => withSingleClient(toPrimary(config), work)
