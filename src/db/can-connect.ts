// A connection → whether the database accepts it.
import type { Connection } from './connection.ts'
import { withClient } from './with-client.ts'

/** With a `patienceMs` of 0, waits as long as the network does. */
export const canConnect = async (connection: Connection, patienceMs = 0): Promise<boolean> => {
  const config = { ...connection, application_name: 'minaret check', connectionTimeoutMillis: patienceMs }
  try {
    await withClient(config, async () => undefined)
    return true
  } catch {
    return false
  }
}
