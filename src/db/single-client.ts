// Opens a connection with exactly this configuration for one piece of work, and closes it afterwards.
import pg from 'pg'

export const withSingleClient = async <T>(
  config: pg.ClientConfig,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> => {
  const client = new pg.Client(config)
  // A server that shuts down also emits an error event, which would otherwise crash the process.
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
