// A connection → whether the database accepts it.
import type { Connection } from './connection.ts'
import { withClient } from './with-client.ts'

const PATIENCE_MS = 10_000

export const canConnect = async (connection: Connection, patienceMs = PATIENCE_MS): Promise<boolean> => {
  const config = { ...connection, application_name: 'minaret check', connectionTimeoutMillis: patienceMs }
  try {
    await withClient(config, async () => undefined)
    return true
  } catch {
    return false
  }
}
