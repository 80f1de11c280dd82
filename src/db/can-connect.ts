// A connection → whether the database takes it.
import pg from 'pg'
import type { Connection } from './connection.ts'

/** `patienceMs` of 0 waits as long as the network does. */
export const canConnect = async (connection: Connection, patienceMs = 0): Promise<boolean> => {
  const client = new pg.Client({
    ...connection,
    application_name: 'minaret check',
    connectionTimeoutMillis: patienceMs,
  })
  // A server that goes away in between says so as an event, which would otherwise end the process.
  client.on('error', () => undefined)
  try {
    await client.connect()
    await client.end()
    return true
  } catch {
    return false
  }
}
