// Cancels the running statement of a reader's server process, over a separate connection.
import type { Connection } from './connection.ts'
import { withClient } from './with-client.ts'

export const cancelBackend = async (connection: Connection, processId: number): Promise<void> => {
  const config = { ...connection, application_name: 'minaret cancel', connectionTimeoutMillis: 2000 }
  await withClient(config, client => client.query('select pg_cancel_backend($1)', [processId]))
}
