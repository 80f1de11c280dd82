// A connection of its own for one piece of work, and closed after it.
import pg from 'pg'

export const withClient = async <T>(config: pg.ClientConfig, work: (client: pg.Client) => Promise<T>): Promise<T> => {
  const client = new pg.Client(config)
  // A server that goes away says so as an event as well, which would otherwise end the process.
  client.on('error', () => undefined)
  try {
    await client.connect()
  } catch (error) {
    client.end().catch(() => undefined)
    throw error
  }
  try {
    return await work(client)
  } finally {
    await client.end().catch(() => undefined)
  }
}
