// A server process of the reading role → its running statement ends, asked over a connection of its own.
import pg from 'pg'
import type { Connection } from './connection.ts'

export const cancelBackend = async (connection: Connection, processId: number): Promise<void> => {
  const client = new pg.Client({ ...connection, application_name: 'minaret cancel', connectionTimeoutMillis: 2000 })
  await client.connect()
  try {
    await client.query('select pg_cancel_backend($1)', [processId])
  } finally {
    await client.end()
  }
}
