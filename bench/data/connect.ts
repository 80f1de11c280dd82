// A connection that a scenario keeps open while it measures.
import pg from 'pg'
import type { Connection } from '../../src/db/connection.ts'

export const connect = async (connection: Connection): Promise<pg.Client> => {
  const client = new pg.Client({ ...connection })
  // A client left behind by a scenario that failed must not crash the run when the database stops.
  client.on('error', () => undefined)
  await client.connect()
  return client
}
